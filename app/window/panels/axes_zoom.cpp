#include "app/window/panels/axes_zoom.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/figures/parts/curves/zoom.h"
#include "app/window/widgets/widgets.h"

namespace ropewalk {
namespace {

/// Returns the topmost plot, whose vertical axis can be zoomed.
const Frame& first_plot(const Frame& frame) {
    return frame.above.empty() ? frame : frame.above.front();
}

void set(Document& document, int panel, const Zoom& zoom, Gesture gesture) {
    Figure& figure = document.view.figure(panel);
    Figure before = figure;
    zoom_to(figure, zoom);
    if (check(figure)) figure = before;  // on an axis of nearly equal values, both ends may round to one number
    if (!(figure == before)) document.draw({panel, std::move(before), figure, "Zoom"}, document.experiment(), gesture);
}

/// Returns how far up a vertical axis a place is, or for an axis that grows downwards how far down: 0 to 1.
double share_of(const Frame& plot, double y) {
    const double up = (plot.plot.bottom() - y) / plot.plot.height;
    return plot.y.downwards ? 1 - up : up;
}

/// Returns the cursor's place on an axis that shows some part of it.
double place_on(const Axis& axis, const Cursor& cursor) {
    return axis.along == Along::distance ? cursor.distance()
           : axis.along == Along::pair   ? cursor.pair
           : axis.along == Along::query  ? cursor.query
                                         : cursor.key;
}

/// Returns the cursor after steps on an axis.
Cursor stepped(Cursor cursor, Along along, int steps, const Experiment& experiment) {
    if (along == Along::distance) {
        const int distance = std::clamp(cursor.distance() + steps, 0, experiment.seq_len - 1);
        return cursor.at_distance(distance, experiment.seq_len);
    }
    (along == Along::pair ? cursor.pair : along == Along::query ? cursor.query : cursor.key) += steps;
    return cursor.clamped(experiment);
}

/// Returns a zoomed range of an axis, moved just so far that it shows the place.
std::vector<double> with_place(const Axis& axis, const Axis& whole, const std::vector<double>& range, double place) {
    constexpr double margin = 0.02;  // of the axis
    if (range.size() != 2 || axis.along == Along::nothing) return range;
    Axis shown = axis;
    shown.low = range[0], shown.high = range[1];
    const double at = shown.fraction(place);
    if (!std::isfinite(at) || (at >= 0 && at <= 1)) return range;
    return shifted_by(shown, whole, at < 0 ? at - margin : at - 1 + margin);
}

/// Returns a range of tokens, moved just so far that it shows all of this one.
TokenRange with_token(const TokenRange& range, int token, int seq_len) {
    const double below = token - range.low, above = token + 1 - range.high;
    return range.shifted(below < 0 ? below : std::max(0.0, above), seq_len);
}

/// Moves the view of a zoomed figure so that it shows the cursor. Like the cursor's own moves, it is not undone.
void keep_in_sight(Document& document, int panel, const Frame& frame) {
    Figure& figure = document.view.figure(panel);
    const Cursor cursor = document.cursor();
    const int seq_len = document.experiment().seq_len;
    if (const auto part = shown_part(figure)) {
        const Part shown = part->within(seq_len);
        show(figure, {.rows = with_token(shown.rows, cursor.query, seq_len),
                      .columns = with_token(shown.columns, cursor.key, seq_len)});
    } else if (auto zoom = zoom_of(figure); zoom && !frame.empty()) {
        const Frame& first = first_plot(frame);
        zoom->x = with_place(frame.x, whole_x(frame), zoom->x, place_on(frame.x, cursor));
        zoom->y = with_place(first.y, whole_y(first), zoom->y, place_on(first.y, cursor));
        zoom_to(figure, *zoom);
    }
}

}  // namespace

void set_zoom(const PanelContext& panel, const Zoom& zoom, Gesture gesture) {
    set(panel.session.document, panel.index, zoom, gesture);
    panel.ui.wake_after = 0;
}

AxesZoom::Axes AxesZoom::axes_at(const Frame& frame, Point at) {
    const Frame& first = first_plot(frame);
    Axes axes{.x = at.x >= frame.plot.x && at.x <= frame.plot.right() && at.y >= first.plot.y};
    const auto take = [&](const Frame& plot) {  // plots with the first one's axis are zoomed with it
        const bool is_down = at.y >= plot.plot.y && at.y <= plot.plot.bottom();
        if (is_down && at.x <= plot.plot.right() && plot.y == first.y) axes.y = &plot;
    };
    for (const Frame& above : frame.above) take(above);
    take(frame);
    return axes;
}

bool AxesZoom::click_mark(const PanelContext& panel, const Frame& frame, bool is_dragged) {
    const auto zoom = zoom_of(panel.figure());
    if (!zoom) return false;
    const Frame* plot = nullptr;
    const MarkPlace* mark = nullptr;
    int nth = 0;
    const auto look_at = [&](const Frame& each) {
        for (const MarkPlace& place : each.marks) {
            panel.ui.registry.add({.id = panel.id(fmt::format("mark{}", nth++)),
                                   .label = "",
                                   .rect = panel.on_screen(place.rect),
                                   .value = fmt::format("{}", place.x)});
            if (place.rect.contains(panel.pointer())) mark = &place, plot = &each;
        }
    };
    for (const Frame& above : frame.above) look_at(above);
    look_at(frame);
    if (!mark || is_dragged || !(ImGui::IsItemHovered() || ImGui::IsItemDeactivated())) return false;
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    tooltip(panel.ui, panel.id("mark"),
            {.title = mark->name.empty() ? "Zoom" : mark->name,
             .text = "Click to zoom to this mark. Double-click to see the whole axis."},
            panel.on_screen(mark->rect));
    const bool is_clicked = ImGui::IsItemDeactivated() && ImGui::IsMouseReleased(ImGuiMouseButton_Left) &&
                            ImGui::GetIO().MouseClickedLastCount[ImGuiMouseButton_Left] == 1;
    if (is_clicked) {
        Document& document = panel.session.document;
        const Cursor before = document.cursor();
        if (plot->x.along != Along::nothing) {  // locked, because the zoom moves the mark away from the pointer
            const int steps = static_cast<int>(std::lround(mark->x - place_on(plot->x, before)));
            document.view.cursor = stepped(before, plot->x.along, steps, document.experiment());
            document.view.cursor_locked = true;
        }
        set_zoom(panel, {.x = zoomed_to(plot->x, whole_x(*plot), mark->x), .y = zoom->y}, Gesture::complete);
    }
    return true;
}

void AxesZoom::press(const PanelContext& panel, const Frame& frame) {
    grasped_.reset();
    const auto zoom = zoom_of(panel.figure());
    if (!zoom) return;
    const Axes at = axes_at(frame, panel.pointer());
    Grasped grasped{.frame = frame, .x = at.x && !zoom->x.empty(), .from = panel.pointer()};
    if (at.y && !zoom->y.empty()) grasped.y = *at.y;
    if (grasped.x || grasped.y) grasped_ = std::move(grasped);
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
        set_zoom(panel, {}, Gesture::complete);
}

void AxesZoom::turn_wheel(const PanelContext& panel, const Frame& frame) {
    const Point at = panel.pointer();
    const Axes axes = axes_at(frame, at);
    const bool takes_x = axes.x && !(axes.y && panel.ui.modifiers.control), takes_y = axes.y && !takes_x;
    if (!takes_x && !takes_y) return;
    const double factor = std::pow(1.25, -static_cast<double>(ImGui::GetIO().MouseWheel));
    Zoom zoom = zoom_of(panel.figure()).value_or(Zoom{});
    if (takes_x) zoom.x = zoomed_about(frame.x, whole_x(frame), (at.x - frame.plot.x) / frame.plot.width, factor);
    if (takes_y) zoom.y = zoomed_about(axes.y->y, whole_y(*axes.y), share_of(*axes.y, at.y), factor);
    set_zoom(panel, zoom, Gesture::ongoing);
    turned_ = ImGui::GetTime();
}

void AxesZoom::drag(const PanelContext& panel) const {
    const auto& [frame, x, y, from] = *grasped_;
    const Point at = panel.pointer();
    Zoom zoom = zoom_of(panel.figure()).value_or(Zoom{});
    if (x) zoom.x = shifted_by(frame.x, whole_x(frame), (from.x - at.x) / frame.plot.width);
    if (y) zoom.y = shifted_by(y->y, whole_y(*y), share_of(*y, from.y) - share_of(*y, at.y));
    set_zoom(panel, zoom, Gesture::ongoing);
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
    const double at = frame.x.fraction(place_on(frame.x, cursor));
    zoom->x = zoomed_about(frame.x, whole_x(frame), at >= 0 && at <= 1 ? at : 0.5, factor);
    set(document, panel, *zoom, Gesture::complete);
}

void AxesZoom::move_cursor(Document& document, int panel, const Frame& frame, int across, int down) {
    const Axis &x = frame.x, &y = frame.y;
    const Along right = x.along != Along::nothing ? x.along
                        : y.along == Along::key   ? Along::query
                                                  : Along::key,
                below = y.along != Along::nothing ? y.along
                        : right == Along::query   ? Along::key
                                                  : Along::query;
    const Experiment& experiment = document.experiment();
    Cursor cursor = document.cursor();
    if (across != 0) cursor = stepped(cursor, right, across, experiment);
    if (down != 0) {
        const int distance = cursor.distance();
        cursor = stepped(cursor, below, y.along == Along::nothing || y.downwards ? down : -down, experiment);
        // Only what the horizontal axis does not show may move.
        if (right == Along::distance && distance >= 0) cursor = cursor.at_distance(distance, experiment.seq_len);
    }
    document.view.cursor = cursor;
    document.view.cursor_locked = true;
    keep_in_sight(document, panel, frame);
}

}  // namespace ropewalk
