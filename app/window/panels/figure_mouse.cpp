#include "app/window/panels/figure_mouse.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/window/surface/compat.h"
#include "app/window/widgets/widgets.h"

namespace ropewalk {
namespace {

/// Explains a colour bar, a legend or a track under the pointer.
void explain(const PanelContext& panel, std::span<const Explanation> explanations) {
    const auto last = std::find_if(explanations.rbegin(), explanations.rend(),
                                   [&](const Explanation& each) { return each.rect.contains(panel.pointer()); });
    if (last == explanations.rend()) return;
    tooltip(panel.ui, panel.id(fmt::format("explanation{}", explanations.rend() - last)),
            {.title = last->title, .text = last->text}, panel.on_screen(last->rect));
}

/// Adds the invisible button that takes the mouse on the figure.
void add_plot_button(const PanelContext& panel, const Rect& outer) {
    const Figure& figure = panel.figure();
    const Rect device = panel.on_screen(outer);
    ImGui::SetCursorScreenPos(compat::vector({device.x, device.y}));
    compat::invisible_button("plot", compat::vector({device.width, device.height}),
                             takes_brush(figure) ? ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonRight
                                                 : ImGuiButtonFlags_MouseButtonLeft);
    panel.ui.registry.add({.id = panel.id("plot"), .label = title_of(figure), .rect = device, .value = id_of(figure)});
    if (ImGui::IsItemHovered()) panel.ui.point_at("plot");
}

}  // namespace

void FigureMouse::follow(PanelContext& panel, const DrawnFigure& drawn, std::span<const Explanation> explanations,
                         BrushStroke& stroke) {
    const auto& [input, frame] = drawn;
    add_plot_button(panel, frame.outer);
    if (follow_chips(panel, drawn)) return;
    // Legends are outside the plots. After a drag, nothing is explained until the pointer has been elsewhere.
    if (ImGui::IsWindowHovered(ImGuiHoveredFlags_AllowWhenBlockedByActiveItem)) explain(panel, explanations);
    const bool points = ImGui::IsItemHovered(), is_drawing = stroke.is_down(),
               draws_here = draws_at(panel.figure(), frame, panel.pointer());
    if (is_drawing || (points && draws_here)) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeAll);
    if (ImGui::IsItemActivated()) press(panel, frame, stroke);
    if (stroke.follow(panel, input)) {
        is_dragged_ |= stroke.has_begun();
    } else if (ImGui::IsItemActive()) {
        is_dragged_ |= is_drag(panel.in_panel(ImGui::GetIO().MouseClickedPos[0]), panel.pointer());
        if (is_dragged_ && !handle_.is_held()) pan(panel, drawn);
    }
    const bool held_handle = handle_.is_held();  // it may be released now
    const bool has_handle = handle_.follow(panel, drawn, is_dragged_);
    panel.events.changes_head |= has_handle || is_drawing || draws_here;
    if (held_handle || is_drawing || scrubs_at(panel.figure(), input, frame, pressed_)) axes_.let_go();
    const bool is_on_mark = !is_drawing && !has_handle && AxesZoom::click_mark(panel, frame, is_dragged_);
    const bool is_free = !grasped_ && !axes_.is_held() && !held_handle && !handle_.is_held() && !is_drawing;
    const bool is_mark_clicked = is_on_mark && ImGui::IsItemDeactivated();  // a click elsewhere locks the cursor
    const bool chooses = choose(panel, drawn, points && !is_on_mark);
    const bool has_entry =
        move_cursor(panel, drawn, is_free, points && (!is_dragged_ || is_drawing) && !is_mark_clicked && !chooses);
    if (points && frame.plot.contains(panel.pointer())) zoom(panel, drawn);
    axes_.follow(panel, drawn, points, is_dragged_);
    panel.events.is_pointed_at = has_entry || (points && draws_here);
    if (!panel.events.is_pointed_at && panel.index != 0) return;
    FigureInput now = input;
    if (!panel.player.plays_distance()) now.cursor = panel.session.document.view.cursor.clamped(input.experiment());
    panel.events.readout = readout_with_before(panel.figure(), now);
}

bool FigureMouse::follow_chips(const PanelContext& panel, const DrawnFigure& drawn) {
    const auto& [input, frame] = drawn;
    Figure& figure = panel.figure();
    for (std::size_t i = 0; i < frame.chips.size(); ++i)
        panel.ui.registry.add({.id = panel.id(fmt::format("chip{}", i)),
                               .label = "",
                               .rect = panel.on_screen(frame.chips[i]),
                               .value = pin_text(figure, input, i)});
    const auto chip = std::find_if(frame.chips.begin(), frame.chips.end(),
                                   [&](const Rect& rect) { return rect.width > 0 && rect.contains(panel.pointer()); });
    const auto here = static_cast<std::size_t>(chip - frame.chips.begin());
    const bool is_elsewhere = ImGui::IsItemActive() || ImGui::IsItemDeactivated();  // a drag may end on a chip
    const bool is_on_chip = chip != frame.chips.end() && ImGui::IsItemHovered() && (pressed_chip_ || !is_elsewhere);
    if (ImGui::IsItemActivated() && chip != frame.chips.end()) pressed_chip_ = here;
    const auto pressed = pressed_chip_;
    const bool is_released = ImGui::IsItemDeactivated();
    if (is_released) pressed_chip_.reset();
    if (!is_on_chip && !pressed) return false;
    if (chip == frame.chips.end()) return true;  // pressed there and moved away
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    tooltip(panel.ui, panel.id(fmt::format("chip{}", here)),
            {.title = "Pinned", .text = pin_text(figure, input, here), .range = "Click to remove it."},
            panel.on_screen(*chip));
    if (is_released && pressed == here) {
        const Figure before = figure;
        unpin(figure, here);
        panel.session.document.draw({panel.index, before, figure, "Unpin"}, panel.experiment(), Gesture::complete);
    }
    return true;
}

void FigureMouse::press(const PanelContext& panel, const Frame& frame, BrushStroke& stroke) {
    is_dragged_ = false;
    pressed_ = panel.pointer();
    cursor_at_press_ = panel.session.document.view.cursor.clamped(panel.experiment());
    grasped_ = shown_part(panel.figure());
    axes_.press(panel, frame);
    stroke.begin(panel, frame);
}

/// Applies what a click here stands for, such as the head of a cell. Returns whether it stands for something.
bool FigureMouse::choose(const PanelContext& panel, const DrawnFigure& drawn, bool points) {
    const std::string settings =
        points ? chosen(panel.figure(), drawn.input, drawn.frame, panel.pointer()) : std::string();
    if (settings.empty()) return false;
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    if (ImGui::IsItemDeactivated() && !is_dragged_)
        panel.session.document.edit(changed(panel.experiment(), settings), Gesture::complete);
    return true;
}

bool FigureMouse::move_cursor(const PanelContext& panel, const DrawnFigure& drawn, bool is_free, bool points) {
    const auto& [input, frame] = drawn;
    const Figure& figure = panel.figure();
    View& view = panel.session.document.view;
    const Point pointer = panel.pointer();
    const bool is_held = ImGui::IsItemActive() || ImGui::IsItemDeactivated(),
               scrubs = is_held && scrubs_at(figure, input, frame, pressed_),
               drags_cursor = (is_dragged_ || scrubs) && is_held && is_free;
    if (points && scrubs_at(figure, input, frame, pointer)) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
    const auto picked = drags_cursor && scrubs ? scrubbed(figure, input, frame, {cursor_at_press_, pressed_, pointer})
                        : drags_cursor         ? pick(figure, input, frame, within_plot(frame, pointer))
                        : points               ? pick(figure, input, frame, pointer)
                                               : std::nullopt;
    // Another head shown by Shift may move the plot under a resting pointer; the cursor must stay.
    const ImVec2 moved = ImGui::GetIO().MouseDelta;
    const bool is_still = input.is_reference && moved.x == 0 && moved.y == 0;
    if (picked && ((!view.cursor_locked && !is_still) || drags_cursor)) view.cursor = *picked;
    if (ImGui::IsItemDeactivated()) {
        if (scrubs)
            view.cursor_locked = true;
        else if (!is_dragged_ && picked && ImGui::IsMouseReleased(ImGuiMouseButton_Left))
            view.cursor = *picked, view.cursor_locked = !view.cursor_locked;
        is_dragged_ = false;
    }
    return picked.has_value();
}

Point FigureMouse::within_plot(const Frame& frame, Point pointer) const {
    const auto into = [&](const Rect& plot) {  // excludes the plot's right and lower edge
        return Point{std::clamp(pointer.x, plot.x, std::nextafter(plot.right(), plot.x)),
                     std::clamp(pointer.y, plot.y, std::nextafter(plot.bottom(), plot.y))};
    };
    for (const Frame& above : frame.above)
        if (above.plot.contains(pressed_)) return into(above.plot);
    return frame.plot.contains(pressed_) ? into(frame.plot) : pointer;
}

void FigureMouse::pan(const PanelContext& panel, const DrawnFigure& drawn) const {
    if (!grasped_) return;
    const int seq_len = drawn.input.experiment().seq_len;
    const Rect& plot = drawn.frame.plot;
    const Part part = grasped_->within(seq_len);
    const Point start = panel.in_panel(ImGui::GetIO().MouseClickedPos[0]), pointer = panel.pointer();
    const auto shifted = [&](const TokenRange& range, double moved, double length) {
        return range.shifted(-moved / length * (range.high - range.low), seq_len);
    };
    show(panel.figure(), {.rows = shifted(part.rows, pointer.y - start.y, plot.height),
                          .columns = shifted(part.columns, pointer.x - start.x, plot.width)});
}

void FigureMouse::zoom(const PanelContext& panel, const DrawnFigure& drawn) {
    Figure& figure = panel.figure();
    const int seq_len = drawn.input.experiment().seq_len;
    const double wheel = static_cast<double>(ImGui::GetIO().MouseWheel);
    const auto shown = shown_part(figure);
    if (wheel != 0 && shown) {
        const Part part = shown->within(seq_len);
        const Point pointer = panel.pointer();
        const double factor = std::pow(1.25, -wheel);
        show(figure, {.rows = part.rows.zoomed(drawn.frame.y_at(pointer.y) + 0.5, factor, seq_len),
                      .columns = part.columns.zoomed(drawn.frame.x_at(pointer.x) + 0.5, factor, seq_len)});
    }
    if (ImGui::IsMouseDoubleClicked(0)) show(figure, {});
}

}  // namespace ropewalk
