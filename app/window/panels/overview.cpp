#include "app/window/panels/overview.h"

#include <algorithm>

#include "app/figures/parts/curves/zoom.h"
#include "app/plot/omitted_canvas.h"
#include "app/window/panels/axes_zoom.h"

namespace ropewalk {
namespace {

constexpr double overview_height = 18, above_strip = 6, min_height_with_strip = 150;  // logical pixels

/// A canvas that only learns where dots are.
struct DotRows : OmittedCanvas {
    void circle(Point centre, double radius, Color, const Stroke&) override {
        rows.take(centre.y - radius), rows.take(centre.y + radius);
        largest = std::max(largest, radius);
    }
    Extent rows;
    double largest = 0;  // radius
};

}  // namespace

Figure figure_in_strip(const Figure& figure, const FigureInput& input, const Rect& strip) {
    Figure whole = figure;
    show_all(whole);
    DotRows dots;
    const Frame frame = draw(whole, input, dots, strip);
    const Rect& plot = frame.plot;
    const double cut = std::max(plot.y - dots.rows.min, dots.rows.max - plot.bottom()),
                 between = plot.height - 2 * dots.largest;
    if (cut > 0 && between > 0 && frame.above.empty())
        zoom_to(whole, {.x = {}, .y = {frame.y.value(-cut / between), frame.y.value(1 + cut / between)}});
    return whole;
}

double Overview::height(const Figure& figure, const Rect& body) {
    const auto zoom = zoom_of(figure);
    const bool has_strip = zoom && !zoom->x.empty() && !has_color_bar(figure) && body.height >= min_height_with_strip;
    return has_strip ? overview_height + above_strip : 0;
}

void Overview::draw(PanelContext& panel, const DrawnFigure& drawn, const Rect& body, ImGuiCanvas& canvas) {
    const Frame& frame = drawn.frame;
    if (height(panel.figure(), body) == 0 || frame.empty() || !frame.whole_x) return;
    const Theme& theme = *panel.ui.theme;
    const Rect strip{frame.plot.x, body.bottom() - overview_height, frame.plot.width, overview_height};
    FigureInput input = drawn.input;
    input.drawn_on = input.was_drawn_on = nullptr;
    input.ranges = nullptr, input.has_handles = false;
    const Figure whole = figure_in_strip(panel.figure(), input, strip);
    OmittedCanvas unseen;  // to learn how much room the figure leaves beside its plot
    const Rect plot = ropewalk::draw(whole, input, unseen, strip).plot;
    canvas.push_clip(strip.inset(-1));
    ropewalk::draw(whole, input, canvas, {2 * strip.x - plot.x, strip.y, 2 * strip.width - plot.width, strip.height});
    const double begin = whole_x(frame).fraction(frame.x.low), end = whole_x(frame).fraction(frame.x.high);
    constexpr double min_width = 6;  // so that it can be seen and grasped
    const double width = std::max(min_width, (end - begin) * strip.width),
                 left = std::clamp(strip.x + begin * strip.width - (width - (end - begin) * strip.width) / 2, strip.x,
                                   strip.right() - width);
    const Color veil = theme.panel.with_alpha(0.6);
    canvas.fill_rect({strip.x, strip.y, left - strip.x, strip.height}, veil);
    canvas.fill_rect({left + width, strip.y, strip.right() - left - width, strip.height}, veil);
    canvas.stroke_rect(Rect{left, strip.y, width, strip.height}.inset(0.5), {.color = theme.accent}, 2);
    canvas.pop_clip();

    const Rect device = panel.on_screen(strip);
    ImGui::SetCursorScreenPos(compat::vector({device.x, device.y}));
    compat::invisible_button("overview", compat::vector({device.width, device.height}));
    panel.ui.registry.add({.id = panel.id("overview"),
                           .label = "",
                           .rect = device,
                           .value = fmt::format("{}:{}", frame.x.low, frame.x.high)});
    if (ImGui::IsItemHovered()) panel.ui.point_at("overview");
    if (ImGui::IsItemHovered() || ImGui::IsItemActive()) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
    const double at = (panel.pointer().x - strip.x) / strip.width;
    if (ImGui::IsItemActivated()) held_ = at >= begin && at <= end ? at - begin : (end - begin) / 2;
    Zoom zoom = zoom_of(panel.figure()).value_or(Zoom{});
    if (ImGui::IsItemActive() && held_ && (ImGui::IsItemActivated() || ImGui::GetIO().MouseDelta.x != 0)) {
        zoom.x = shifted_by(frame.x, whole_x(frame), (at - *held_ - begin) / (end - begin));
        set_zoom(panel, zoom, Gesture::ongoing);
    }
    if (ImGui::IsItemDeactivated()) {
        held_.reset();
        panel.session.document.end_gesture();
    }
    if (ImGui::IsItemHovered() && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) {
        held_.reset();
        set_zoom(panel, {.x = {}, .y = zoom.y}, Gesture::complete);
    }
}

}  // namespace ropewalk
