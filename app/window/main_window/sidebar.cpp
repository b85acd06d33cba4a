#include "app/window/main_window/sidebar.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/plot/fonts.h"
#include "app/window/surface/compat.h"
#include "app/window/widgets/controls.h"
#include "app/window/widgets/row.h"
#include "app/window/widgets/splitter.h"

namespace ropewalk {
namespace {

constexpr double controls_padding = 12;  // logical pixels
// Fits the labels of all encodings but one, so that controls stay in place when another encoding is chosen.
constexpr double min_labels = 110;

/// Returns the width of the column that the labels of these rows need, in logical pixels.
double room_for_labels(std::span<const RegisteredWidget> rows) {
    double widest = 0;
    for (const RegisteredWidget& row : rows)
        if (row.takes_focus) widest = std::max(widest, measure_text(row.label, text_size, Weight::regular).width);
    return widest + label_gap;
}

}  // namespace

Rect Sidebar::draw(Ui& ui, LessonPanel& lesson, const std::vector<std::string>& lit, const Rect& work) {
    double& sidebar = window_.session.document.view.layout.sidebar;
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
    draw_controls(ui, lesson, lit, lesson.draw_above(ui, split.first, split.second.width));
    return split.second;
}

void Sidebar::draw_controls(Ui& ui, LessonPanel& lesson, const std::vector<std::string>& lit, const Rect& rect) {
    panel_background(ui, rect);
    ImGui::SetCursorScreenPos(compat::vector({rect.x + ui.px(controls_padding), rect.y + ui.px(6)}));
    // A scroll bar is in the margin, so that the controls keep their width.
    const double margins = ui.px(scrolls_ ? 15 : 2 * controls_padding);
    compat::begin_child("sidebar", compat::vector({rect.width - margins, rect.height - ui.px(12)}));
    // The column of labels is as wide as the widest label needs; the tracks take the rest.
    const double usual = ui.label_width;
    const std::size_t first = ui.registry.all().size();
    if (labels_ > 0) ui.label_width = labels_;
    edit_experiment(ui);
    Session& session = window_.session;
    const Figure& main = session.document.view.figures.front();
    section(ui, fmt::format("Display: {}", title_of(main)));
    if (!has_controls(main))
        note(ui, "This figure has no options.");
    else if (const auto swept = option_controls(ui, session, 0); !swept.empty())
        window_.cards.sweep(swept, 0);
    const double needed =
        std::min(usual, std::max(min_labels, std::ceil(room_for_labels(ui.registry.all().subspan(first)))));
    if (std::exchange(labels_, needed) != needed) ui.wake_after = 0;
    ui.label_width = usual;
    scrolls_ = ImGui::GetScrollMaxY() > 0;
    lesson.bring_into_sight(ui);
    ImGui::EndChild();
    lesson.draw_ring(ui, rect);
    for (const std::string& path : lit)
        if (const RegisteredWidget* widget = ui.registry.find(path)) ring_around(ui, widget->rect, rect);
}

void Sidebar::edit_experiment(Ui& ui, std::string_view only) {
    Document& document = window_.session.document;
    Notices& notices = window_.session.notices;
    // While Shift shows the reference, the controls show its values, which cannot be edited.
    const bool is_of_reference =
        document.reference() && ui.modifiers.shift && !is_held_ && ui.input.keys.empty() && !ImGui::IsAnyMouseDown();
    Experiment edited = is_of_reference ? *document.reference() : document.experiment();
    const ControlsState state = experiment_controls(ui, edited, only);
    const int last_notice = notices.current().number;
    if (!is_of_reference) document.edit(edited, state.held ? Gesture::ongoing : Gesture::complete);
    if (notices.current().number != last_notice) refuse(ui, state.touched, notices.current().sentence);
    if (is_held_ && !state.held) document.end_gesture();
    is_held_ = state.held;
    notices.complain(state.rejected);
    if (!state.context.empty()) window_.cards.sweep(state.context);
}

void Sidebar::draw_pointed_control(Ui& ui, const std::string& path, const Rect& rect) {
    panel_background(ui, rect);
    const double padding = ui.px(controls_padding);
    ImGui::SetCursorScreenPos(compat::vector({rect.x + padding, rect.y + padding}));
    compat::begin_child("pointed", compat::vector({rect.width - 2 * padding, rect.height - 2 * padding}));
    edit_experiment(ui, path);
    const double needed = std::ceil(static_cast<double>(ImGui::GetCursorPosY()) + 2 * padding);
    if (std::abs(needed - pointed_height_) > 1) pointed_height_ = needed, ui.wake_after = 0;
    ImGui::EndChild();
}

}  // namespace ropewalk
