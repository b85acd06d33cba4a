// The window's controls: all of them in the sidebar, or, during a presentation, the one that the lesson points at.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/window/main_window.h"
#include "app/window/surface/compat.h"
#include "app/window/widgets/controls.h"
#include "app/window/widgets/row.h"
#include "app/window/widgets/splitter.h"

namespace ropewalk {
namespace {

constexpr double controls_padding = 12;  // logical pixels
// Fits the labels of all encodings but one, so that controls stay in place when another encoding is chosen.
constexpr double min_labels = 110;

}  // namespace

Rect MainWindow::draw_sidebar(Ui& ui, const Rect& work) {
    double& sidebar = session_.document.view.layout.sidebar;
    double fraction = sidebar * ui.scale / work.width;
    const double min = std::min(0.6, 240 * ui.scale / work.width),
                 max = std::max(min, std::min(0.6, 480 * ui.scale / work.width));
    const SplitterState split = splitter(ui,
                                         {.id = "split.sidebar",
                                          .area = work,
                                          .default_fraction = Layout{}.sidebar * ui.scale / work.width,
                                          .min = min,
                                          .max = max},
                                         fraction);
    if (split.changed) sidebar = fraction * work.width / ui.scale;
    draw_controls(ui, lesson_panel_.draw_above(ui, split.first, split.second.width));
    return split.second;
}

void MainWindow::edit_experiment(Ui& ui, std::string_view only) {
    // While Shift shows the reference, the controls show its values, which cannot be edited.
    const bool is_of_reference = session_.document.reference() && ui.modifiers.shift && !was_held_ &&
                                 ui.input.keys.empty() && !ImGui::IsAnyMouseDown();
    Experiment edited = is_of_reference ? *session_.document.reference() : session_.document.experiment();
    const ControlsState state = experiment_controls(ui, edited, only);
    const int last_notice = session_.notices.current().number;
    if (!is_of_reference) session_.document.edit(edited, state.held ? Gesture::ongoing : Gesture::complete);
    if (session_.notices.current().number != last_notice)
        refuse(ui, state.touched, session_.notices.current().sentence);
    if (was_held_ && !state.held) session_.document.end_gesture();
    was_held_ = state.held;
    session_.notices.complain(state.rejected);
    if (!state.context.empty()) sweep_card_.open(session_, state.context);
}

void MainWindow::sweep_option(int panel, const std::string& path) {
    if (!path.empty()) sweep_card_.open(session_, path, panel);
}

void MainWindow::draw_controls(Ui& ui, const Rect& rect) {
    panel_background(ui, rect);
    ImGui::SetCursorScreenPos(compat::vector({rect.x + ui.px(controls_padding), rect.y + ui.px(6)}));
    // A scroll bar is in the margin, so that the controls keep their width.
    const double margins = ui.px(sidebar_scrolls_ ? 15 : 2 * controls_padding);
    compat::begin_child("sidebar", compat::vector({rect.width - margins, rect.height - ui.px(12)}));
    // The column of labels is as wide as the widest label needs; the tracks take the rest.
    const double usual = ui.label_width;
    if (sidebar_labels_ > 0) ui.label_width = sidebar_labels_;
    ui.widest_label = 0;
    edit_experiment(ui);
    const Figure& middle = session_.document.view.figures.front();
    section(ui, fmt::format("Display: {}", title_of(middle)));
    if (has_controls(middle))
        sweep_option(0, option_controls(ui, session_, 0));
    else
        note(ui, "This figure has no options.");
    const double needed = std::min(usual, std::max(min_labels, std::ceil(ui.widest_label)));
    if (std::exchange(sidebar_labels_, needed) != needed) ui.wake_after = 0;
    ui.label_width = usual;
    sidebar_scrolls_ = ImGui::GetScrollMaxY() > 0;
    lesson_panel_.bring_into_sight(ui);
    ImGui::EndChild();
    lesson_panel_.draw_ring(ui, rect);
    if (session_.preferences.formula)
        for (const std::string& path : formula_bar_.lit_controls())
            if (const RegisteredWidget* widget = ui.registry.find(path)) ring_around(ui, widget->rect, rect);
}

void MainWindow::draw_pointed_control(Ui& ui, const Rect& rect) {
    panel_background(ui, rect);
    const double padding = ui.px(controls_padding);
    ImGui::SetCursorScreenPos(compat::vector({rect.x + padding, rect.y + padding}));
    compat::begin_child("pointed", compat::vector({rect.width - 2 * padding, rect.height - 2 * padding}));
    edit_experiment(ui, lesson_panel_.pointed_control());
    const double needed = std::ceil(static_cast<double>(ImGui::GetCursorPosY()) + 2 * padding);
    if (std::abs(needed - pointed_height_) > 1) pointed_height_ = needed, ui.wake_after = 0;
    ImGui::EndChild();
}

}  // namespace ropewalk
