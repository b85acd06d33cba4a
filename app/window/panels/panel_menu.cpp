#include "app/window/panels/panel_menu.h"

#include <algorithm>

#include "app/plot/fonts.h"
#include "app/window/panels/panel_header.h"
#include "app/window/surface/compat.h"
#include "app/window/widgets/controls.h"
#include "app/window/widgets/row.h"

namespace ropewalk {
namespace {

constexpr double menu_room = 330, around_menu = 6;  // logical pixels

std::optional<std::size_t> draw_presets(const PanelContext& panel) {
    const auto presets = presets_of(panel.figure());
    if (presets.empty()) return std::nullopt;
    constexpr double around = 16;
    section(panel.ui, "Presets");
    std::optional<std::size_t> chosen;
    const float end = ImGui::GetWindowPos().x + ImGui::GetWindowContentRegionMax().x;
    for (std::size_t i = 0; i < presets.size(); ++i) {
        const double width = measure_text(presets[i].label, text_size, Weight::regular).width + around;
        if (i > 0 && ImGui::GetItemRectMax().x + ImGui::GetStyle().ItemSpacing.x + panel.ui.px(width) <= end)
            ImGui::SameLine();
        if (button(panel.ui,
                   {.id = panel.id(fmt::format("preset.{}", presets[i].id)),
                    .label = presets[i].label,
                    .help = {.title = presets[i].label, .text = presets[i].help}},
                   ButtonLook::filled, around))
            chosen = i;
    }
    return chosen;
}

/// Draws the buttons for what can be done with the panel. Each closes the menu.
void draw_actions(PanelContext& panel) {
    const View& view = panel.session.document.view;
    const auto entry = [&](const char* id, const char* label, const std::string& help, bool enabled = true) {
        const bool chosen = button(
            panel.ui, {.id = panel.id(id), .label = label, .help = {.title = label, .text = help}, .enabled = enabled});
        if (chosen) ImGui::CloseCurrentPopup();
        return chosen;
    };
    section(panel.ui, "Panel");
    if (entry("maximise", view.maximised() == panel.index ? "Restore" : "Maximise",
              "Show only this panel, or all panels again. You can also press Ctrl+M or double-click the title."))
        panel.toggle_maximised();
    ImGui::SameLine();
    if (entry("duplicate", "Duplicate",
              view.can_add() ? "Add a second panel with the same figure, to compare two settings (Ctrl+D)."
                             : "The maximum number of panels is open. Close one first.",
              view.can_add()))
        panel.events.change = PanelChange::duplicate;
    if (keeps_curves(panel.figure())) {
        const auto obstacle = obstacle_to_pin(panel.figure(), panel.experiment());
        ImGui::SameLine();
        if (entry("pin", "Pin", obstacle ? fmt::format("Unavailable: {}.", *obstacle) : pin_help().text, !obstacle))
            pin_curve(panel.session, panel.index);
    }
    if (view.can_close()) {
        ImGui::SameLine();
        if (entry("close", "Close", "Close this panel.")) panel.events.change = PanelChange::close;
    }
    if (panel.index != 0) {
        if (entry("make_main", "Make main figure", "Swap this figure with the main one."))
            panel.events.change = PanelChange::make_main;
        ImGui::SameLine();
    }
    panel.events.is_exported = entry("export", "Export …", "Export the figure or its data (Ctrl+E).");
}

}  // namespace

std::string option_controls(Ui& ui, Session& session, int panel, std::string_view place) {
    Figure& figure = session.document.view.figure(panel);
    const Figure before = figure;
    const std::string prefix = fmt::format("{}{}.", place, id_of(figure));
    const ControlsState state = figure_controls(ui, figure, session.document.experiment(), prefix);
    const auto sentence = check(figure);
    const bool is_refused = sentence && !check(before);
    if (is_refused) {
        const std::string labelled = with_labels(*sentence, ConstChoiceRef(figure).fields());
        figure = before;
        refuse(ui, state.touched, labelled);
        session.notices.complain(labelled);
    }
    session.document.set_options(panel, before, state.held ? Gesture::ongoing : Gesture::complete);
    session.notices.complain(state.rejected);
    if (!is_refused && state.rejected.empty() && !state.rounded.empty()) session.notices.notify(state.rounded);
    return state.context.empty() ? "" : state.context.substr(prefix.size());
}

std::optional<std::size_t> PanelMenu::draw(PanelContext& panel) {
    Ui& ui = panel.ui;
    const Rect& rect = panel.rect;
    const ImVec2 window = ImGui::GetIO().DisplaySize;
    const float max_height = window.y - ui.px(2 * around_menu);
    ImGui::SetNextWindowSize({ui.px(menu_room), 0});
    ImGui::SetNextWindowSizeConstraints({0, 0}, {FLT_MAX, max_height});
    // The menu is moved up if it does not fit below the header.
    const float top = std::min(static_cast<float>(rect.y + ui.px(PanelHeader::height(panel.index))),
                               ui.px(around_menu) + max_height - height_);
    // To the right of its button, so that the figure stays visible, or below the button if there is no space.
    const double taken = ui.px(menu_room + around_menu), beside_right = rect.right() + ui.px(around_menu);
    const double x =
        beside_right + taken <= static_cast<double>(window.x) ? beside_right : rect.right() - ui.px(menu_room);
    ImGui::SetNextWindowPos(compat::vector({x, static_cast<double>(top)}));
    if (!ImGui::BeginPopup("menu")) return std::nullopt;
    const Layer layer(ui.registry);
    height_ = ImGui::GetWindowSize().y;
    section(ui, title_of(panel.figure()));
    note(ui, ConstChoiceRef(panel.figure()).in_force().summary);
    const auto preset = draw_presets(panel);
    panel.events.swept = option_controls(ui, panel.session, panel.index, panel.id("option."));
    if (!panel.events.swept.empty()) ImGui::CloseCurrentPopup();
    draw_actions(panel);
    if (ui.take_shortcut(Key::escape, {})) ImGui::CloseCurrentPopup();
    ImGui::EndPopup();
    return preset;
}

}  // namespace ropewalk
