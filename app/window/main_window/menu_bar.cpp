#include "app/window/main_window/bar.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "app/figures/parts/caption.h"
#include "app/plot/fonts.h"
#include "app/window/main_window/entries.h"
#include "app/window/panels/formula_bar.h"
#include "app/window/surface/compat.h"
#include "app/window/widgets/row.h"
#include "app/window/widgets/widgets.h"

namespace ropewalk {
namespace {

constexpr double min_title = 60, more_width = 26, around_label = 20, revealing_edge = 3;  // logical pixels

/// Draws a command's button. That of *Set reference* clears the reference if one is set.
void draw_command(Ui& ui, WindowParts& window, const Command& command) {
    const bool is_on = command.is_on_in(window),
               clears_reference = is_on && command.id == std::string_view("keep_reference");
    Help help{.title = command.title,
              .text = command.help_in(window),
              .range = name_of(command.keys[0].key, command.keys[0].modifiers)};
    if (clears_reference) {
        const Experiment& reference = *window.session.document.reference();
        const std::string differing =
            caption_of(reference, differing_paths(window.session.document.experiment(), reference));
        help.title = "The reference";
        help.text = fmt::format(
            "Reference: {}. Hold Shift to see it. Press R to replace it with the current head, or click to clear it.",
            differing.empty() ? "identical to the current head" : differing);
    }
    if (button(ui,
               {.id = command.id,
                .label = command.bar_title(),
                .help = std::move(help),
                .enabled = !command.obstacle_in(window)},
               is_on ? ButtonLook::chosen : ButtonLook::quiet))
        run(clears_reference ? *find_command("drop_reference") : command, window);
    ImGui::SameLine();
}

/// Draws the button for the list of the commands that do not fit.
void draw_more(Ui& ui, WindowParts& window, const std::vector<const Command*>& others) {
    constexpr const char* title = "More commands";
    Palette& palette = window.cards.palette;
    if (!button(
            ui,
            {.id = "more", .label = "»", .help = {.title = title, .text = "Commands that do not fit in the toolbar."}},
            palette.is_open() && palette.title() == title ? ButtonLook::chosen : ButtonLook::quiet, 14))
        return;
    std::vector<PaletteEntry> entries;
    for (const Command* command : others) entries.push_back(entry_of(*command, window));
    palette.open(title, std::move(entries));
}

/// Draws the scene's title at the bar's right end, to the right of ImGui's cursor.
void draw_title(Ui& ui, const Document& document, const Rect& bar) {
    const Scene& scene = document.scene();
    const double size = ui.theme->label_size;
    const auto width_of = [&](const std::string& text) { return measure_text(text, size, Weight::regular).width; };
    const bool is_unsaved = document.has_unsaved_changes();
    const std::string title = scene.title + (is_unsaved ? "  •  unsaved" : scene.bundled ? "  (bundled)" : "");
    const double right = bar.right() - ui.px(window_margin + 4),
                 room = (right - static_cast<double>(ImGui::GetCursorScreenPos().x)) / ui.scale;
    if (room < min_title) return;
    // "(bundled)" is the first part to be omitted.
    const bool has_room_for_all = width_of(title) <= room;
    const std::string mark = is_unsaved && !has_room_for_all ? "  •" : "",
                      shown = fitted(ui, has_room_for_all ? title : scene.title, room - width_of(mark), size) + mark;
    ui.fonts.draw(*ImGui::GetWindowDrawList(), {right, bar.centre().y}, shown,
                  {.size = size, .color = ui.theme->text_dim, .across = Align::end});
    const double width = ui.scale * width_of(shown);
    const Rect place{right - width, bar.y, width, bar.height};
    ui.registry.add({.id = "title", .label = "", .rect = place, .value = title});
    if (is_pointed_at(place))
        tooltip(ui, "title",
                {.title = scene.title,
                 .text = scene.about,
                 .range = scene.path.empty() ? "not saved"
                          : scene.bundled    ? "bundled"
                                             : scene.path},
                place);
}

}  // namespace

void Bar::draw(Ui& ui, WindowParts& window, const Rect& rect) {
    std::vector<const Command*> shown, others;
    double end = 2 * window_margin + min_title + more_width;  // logical pixels used so far
    for (const Command& command : commands()) {
        if (!command.in_bar) continue;
        end += std::ceil(measure_text(command.bar_title(), text_size, Weight::regular).width) + around_label +
               static_cast<double>(ImGui::GetStyle().ItemSpacing.x) / ui.scale;
        (end <= rect.width / ui.scale ? shown : others).push_back(&command);
    }
    const bool has_formula = window.session.preferences.formula;
    const TooltipsBelow below(ui, has_formula ? rect.bottom() + ui.px(FormulaBar::height + window_margin) : 0);
    ImGui::SetCursorScreenPos({ui.px(window_margin), std::round(ui.px((bar_height - 24) / 2))});
    for (const Command* command : shown) draw_command(ui, window, *command);
    if (!others.empty()) draw_more(ui, window, others);
    ImGui::SameLine();
    draw_title(ui, window.session.document, rect);
}

bool Bar::draw_presented(Ui& ui, WindowParts& window, const Rect& rect, const Rect& room) {
    const Point pointer = compat::point(ImGui::GetIO().MousePos);
    is_revealed_ = rect.contains(pointer) && (is_revealed_ || pointer.y < ui.px(revealing_edge));
    if (!is_revealed_) return false;
    ImGui::SetCursorScreenPos({0, 0});
    const double formula = window.session.preferences.formula ? room.y + ui.px(FormulaBar::height + 1) : 0;
    const Rect strip{rect.x, rect.y, rect.width, std::max(rect.height, std::round(formula))};
    compat::begin_child("bar", compat::vector({strip.width, strip.height}));
    fill(ui, strip, ui.theme->window, 0);
    fill(ui, {strip.x, strip.bottom() - ui.px(1), strip.width, ui.px(1)}, ui.theme->panel_border, 0);
    draw(ui, window, rect);
    ImGui::EndChild();
    return true;
}

}  // namespace ropewalk
