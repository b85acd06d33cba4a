#include "app/window/main_window/field_menu.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "app/window/main_window/presenter_strip.h"
#include "app/window/surface/compat.h"
#include "app/window/widgets/controls.h"
#include "core/experiment/settings.h"
#include "core/text/shell_word.h"

namespace ropewalk {
namespace {

struct FieldAction {
    MenuEntry entry;
    void (*run)(Ui& ui, WindowParts& window, const std::string& path);
};

std::string text_at(const Experiment& experiment, const std::string& path) {
    std::string text;
    walk_fields(experiment, [&](const std::string& each, const Field&, const auto& value) {
        if (each == path) text = text_of(value);
    });
    return text;
}

void type_value(Ui& ui, WindowParts&, const std::string& path) {
    ui.interaction.wants_editing = path;
}

void reset(Ui&, WindowParts& window, const std::string& path) {
    Document& document = window.session.document;
    if (const auto usual = usual_text(document.experiment(), path)) try {
            document.edit(changed(document.experiment(), in_one_line({path + "=" + *usual})), Gesture::complete);
        } catch (const Error& error) {
            window.session.notices.complain(error.what());
        }
}

void sweep_field(Ui&, WindowParts& window, const std::string& path) {
    window.cards.sweep(path);
}

void change_strip(Ui&, WindowParts& window, const std::string& path) {
    const bool is_pinned = is_in_strip(window.session.document.view, path);
    window.session.document.rearrange(is_pinned ? "Remove from presenter strip" : "Add to presenter strip",
                                      [&](Arrangement& changed) {
                                          if (is_pinned)
                                              std::erase(changed.presenter, path);
                                          else
                                              changed.presenter.push_back(path);
                                      });
}

void copy_setting(Ui&, WindowParts& window, const std::string& path) {
    const std::string setting = "--set " + shell_word(path + "=" + text_at(window.session.document.experiment(), path));
    window.gui.surface().set_clipboard(setting);
    window.session.notices.notify(fmt::format("Copied '{}' to the clipboard", setting));
}

std::vector<FieldAction> actions_for(const std::string& path, const Document& document) {
    const auto usual = usual_text(document.experiment(), path);
    const bool is_number = number_at(document.experiment(), path).has_value(),
               is_usual = usual == text_at(document.experiment(), path), is_pinned = is_in_strip(document.view, path),
               is_full = std::ssize(document.view.presenter) >= most_presented;
    std::vector<FieldAction> actions;
    if (is_number) actions.push_back({{.id = "field/type", .title = "Type a value", .keys = "Enter"}, type_value});
    actions.push_back(
        {{.id = "field/reset",
          .title = usual && is_number ? "Reset to " + with_readable_numbers(*usual) : std::string("Reset"),
          .help = {.title = "Reset", .text = is_usual ? "Unavailable: the field has its default value." : ""},
          .enabled = !is_usual},
         reset});
    if (is_number) {
        actions.push_back({{.id = "field/sweep", .title = "Sweep …", .starts_group = true}, sweep_field});
        actions.push_back(
            {{.id = "field/strip",
              .title = is_pinned ? "Remove from presenter strip" : "Add to presenter strip",
              .help = {.title = "Presenter strip",
                       .text = is_full && !is_pinned ? "Unavailable: the strip already has four sliders."
                                                     : "Show this slider in large size while you present (F5)."},
              .enabled = is_pinned || !is_full},
             change_strip});
    }
    actions.push_back({{.id = "field/copy", .title = "Copy for the command line", .starts_group = true}, copy_setting});
    return actions;
}

}  // namespace

void FieldMenu::open(const Ui& ui, std::string path) {
    path_ = std::move(path);
    const Point pointer = compat::point(ImGui::GetIO().MousePos);
    const RegisteredWidget* widget = ui.registry.find(path_);
    const bool is_near = widget && widget->with_label().inset(-ui.px(4)).contains(pointer);
    corner_ = is_near || !widget ? pointer : Point{widget->rect.x, widget->rect.bottom()};
    popup_.open(is_near ? OpenedBy::pointer : OpenedBy::key);
}

void FieldMenu::draw(Ui& ui, WindowParts& window) {
    if (!is_open()) return;
    const std::vector<FieldAction> actions = actions_for(path_, window.session.document);
    std::vector<MenuEntry> entries;
    for (const FieldAction& action : actions) entries.push_back(action.entry);
    const PopupMenu::Answer answer = popup_.draw(ui, "field menu", corner_, entries);
    if (!answer.chosen) return;
    actions[*answer.chosen].run(ui, window, path_);
    window.gui.settle();
}

}  // namespace ropewalk
