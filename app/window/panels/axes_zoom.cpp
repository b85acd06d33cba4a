#include "app/window/panels/axes_zoom.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/figures/parts/zoom.h"

namespace ropewalk {
namespace {

/// Returns the topmost plot, whose vertical axis can be zoomed.
const Frame& first_plot(const Frame& frame) {
    return frame.above.empty() ? frame : frame.above.front();
}

Axis whole_x(const Frame& frame) {
    return frame.whole_x.value_or(frame.x);
}
Axis whole_y(const Frame& frame) {
    return frame.whole_y.value_or(frame.y);
}

/// Zooms a panel's figure: one step of undo, or part of one until the gesture ends.
void set(Document& document, int panel, const Zoom& zoom, Gesture gesture) {
    Figure& figure = document.view.figure(panel);
    Figure before = figure;
    zoom_to(figure, zoom);
    if (!(figure == before)) document.draw({panel, std::move(before), figure, "Zoom"}, document.experiment(), gesture);
}

void set(const PanelContext& panel, const Zoom& zoom, Gesture gesture) {
    set(panel.session.document, panel.index, zoom, gesture);
    panel.ui.wake_after = 0;
}

}  // namespace

AxesZoom::Axes AxesZoom::axes_at(const Frame& frame, Point at) {
    const Frame& first = first_plot(frame);
    const bool is_across = at.x >= frame.plot.x && at.x <= frame.plot.right(),
               is_down = at.y >= first.plot.y && at.y <= first.plot.bottom();
    return {.x = is_across && at.y >= first.plot.y, .y = is_down && at.x <= first.plot.right()};
}

void AxesZoom::press(const PanelContext& panel, const Frame& frame) {
    grasped_.reset();
    const auto zoom = zoom_of(panel.figure());
    if (!zoom) return;
    const Axes at = axes_at(frame, panel.pointer()), held{at.x && !zoom->x.empty(), at.y && !zoom->y.empty()};
    if (held.x || held.y) grasped_ = Grasped{frame, held, panel.pointer()};
}

void AxesZoom::follow(const PanelContext& panel, const DrawnFigure& drawn, bool points, bool is_dragged) {
    if (!zoom_of(panel.figure())) return;
    if (grasped_ && is_dragged) drag(panel);
    if (grasped_ && !ImGui::IsMouseDown(ImGuiMouseButton_Left)) {
        grasped_.reset();
        panel.session.document.end_gesture();
    }
    if (points && ImGui::GetIO().MouseWheel != 0) turn_wheel(panel, drawn.frame);
    rest(panel, points);
    if (points && plot_at(drawn.frame, panel.pointer()) && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left))
        set(panel, {}, Gesture::complete);
}

void AxesZoom::turn_wheel(const PanelContext& panel, const Frame& frame) {
    const Point at = panel.pointer();
    const Frame& first = first_plot(frame);
    Axes axes = axes_at(frame, at);
    if (axes.x && axes.y) (panel.ui.modifiers.control ? axes.x : axes.y) = false;
    if (!axes.x && !axes.y) return;
    const double factor = std::pow(1.25, -static_cast<double>(ImGui::GetIO().MouseWheel));
    Zoom zoom = zoom_of(panel.figure()).value_or(Zoom{});
    if (axes.x) zoom.x = zoomed_about(frame.x, whole_x(frame), (at.x - frame.plot.x) / frame.plot.width, factor);
    if (axes.y)
        zoom.y = zoomed_about(first.y, whole_y(first), (first.plot.bottom() - at.y) / first.plot.height, factor);
    set(panel, zoom, Gesture::ongoing);
    turned_ = ImGui::GetTime();
}

void AxesZoom::drag(const PanelContext& panel) const {
    const auto& [frame, axes, from] = *grasped_;
    const Frame& first = first_plot(frame);
    const Point at = panel.pointer();
    Zoom zoom = zoom_of(panel.figure()).value_or(Zoom{});
    if (axes.x) zoom.x = shifted_by(frame.x, whole_x(frame), (from.x - at.x) / frame.plot.width);
    if (axes.y) zoom.y = shifted_by(first.y, whole_y(first), (at.y - from.y) / first.plot.height);
    set(panel, zoom, Gesture::ongoing);
}

void AxesZoom::rest(const PanelContext& panel, bool points) {
    constexpr double patience = 0.5;  // seconds
    if (!turned_) return;
    const double waited = ImGui::GetTime() - *turned_;
    if (points && waited < patience) return panel.ui.wake_within(patience - waited + 0.01);
    turned_.reset();
    panel.session.document.end_gesture();
}

void AxesZoom::zoom_at_cursor(Session& session, int panel, const Frame& frame, double factor) {
    Document& document = session.document;
    Figure& figure = document.view.figure(panel);
    const Cursor cursor = document.cursor();
    const int seq_len = document.experiment().seq_len;
    if (const auto part = shown_part(figure)) {
        const Part shown = part->within(seq_len);
        return show(figure, {.rows = shown.rows.zoomed(cursor.query + 0.5, factor, seq_len),
                             .columns = shown.columns.zoomed(cursor.key + 0.5, factor, seq_len)});
    }
    auto zoom = zoom_of(figure);
    if (!zoom || frame.empty()) return;
    const double place = frame.x.along == Along::distance ? cursor.distance()
                         : frame.x.along == Along::pair   ? cursor.pair
                         : frame.x.along == Along::query  ? cursor.query
                                                          : cursor.key,
                 at = frame.x.fraction(place);
    zoom->x = zoomed_about(frame.x, whole_x(frame), at >= 0 && at <= 1 ? at : 0.5, factor);
    set(document, panel, *zoom, Gesture::complete);
}

}  // namespace ropewalk
