#include "app/window/surface/imgui_canvas.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "app/window/surface/compat.h"

namespace ropewalk {
namespace {

constexpr std::size_t most_points = 4000;  // per call: ImGui's indices have 16 bits

double dot(Point a, Point b) {
    return a.x * b.x + a.y * b.y;
}
Point minus(Point a, Point b) {
    return {a.x - b.x, a.y - b.y};
}

/// Returns whether a line turns so sharply at `corner` that its mitre would become a spike.
bool reverses(Point before, Point corner, Point after) {
    const Point in = minus(corner, before), out = minus(after, corner);
    return dot(in, out) < -0.5 * std::sqrt(dot(in, in) * dot(out, out));
}

/// Returns the position at which a horizontal or vertical line of this width covers whole pixels.
float crisp(double at, float width) {
    const double half = std::lround(width) % 2 == 1 ? 0.5 : 0;
    return static_cast<float>(std::round(at - half) + half);
}

}  // namespace

ImGuiCanvas::ImGuiCanvas(ImDrawList& list, const Fonts& fonts, TextureCache& textures, Point origin)
    : list_(list), fonts_(fonts), textures_(textures), origin_(origin), scale_(fonts.scale()) {}

void ImGuiCanvas::fill_rect(const Rect& rect, Color color, double corner_radius) {
    compat::fill_rect(list_, compat::vector(to_device({rect.x, rect.y})),
                      compat::vector(to_device({rect.right(), rect.bottom()})), compat::color(color),
                      device(corner_radius));
}

void ImGuiCanvas::stroke_rect(const Rect& rect, const Stroke& stroke, double corner_radius) {
    if (!stroke.dash.is_solid()) {
        const Point corners[] = {{rect.x, rect.y},
                                 {rect.right(), rect.y},
                                 {rect.right(), rect.bottom()},
                                 {rect.x, rect.bottom()},
                                 {rect.x, rect.y}};
        return polyline(corners, stroke);
    }
    const Point low = to_device({rect.x, rect.y}), high = to_device({rect.right(), rect.bottom()});
    const float width = device(stroke.width);
    list_.PathRect({crisp(low.x, width), crisp(low.y, width)}, {crisp(high.x, width), crisp(high.y, width)},
                   device(corner_radius));
    list_.PathStroke(compat::color(stroke.color), ImDrawFlags_Closed, width);
}

void ImGuiCanvas::polyline(std::span<const Point> points, const Stroke& stroke) {
    if (points.size() < 2) return;
    if (stroke.dash.is_solid())
        solid(points, stroke);
    else
        dashed(points, stroke);
}

/// Draws a line in pieces, which end where the line reverses and share their end points.
void ImGuiCanvas::solid(std::span<const Point> points, const Stroke& stroke) {
    std::size_t begin = 0;
    for (std::size_t i = 1; i < points.size(); ++i) {
        const bool last = i + 1 == points.size();
        if (!last && i - begin + 1 < most_points && !reverses(points[i - 1], points[i], points[i + 1])) continue;
        piece(points.subspan(begin, i - begin + 1), stroke);
        begin = i;
    }
}

void ImGuiCanvas::piece(std::span<const Point> points, const Stroke& stroke) {
    const float width = device(stroke.width);
    const bool straight = points.size() == 2;
    const bool upright = straight && points[0].x == points[1].x, level = straight && points[0].y == points[1].y;
    for (const Point& p : points) {
        ImVec2 at = compat::vector(to_device(p));
        if (upright) at.x = crisp(at.x, width);
        if (level) at.y = crisp(at.y, width);
        list_.PathLineTo(at);
    }
    list_.PathStroke(compat::color(stroke.color), 0, width);
}

void ImGuiCanvas::dashed(std::span<const Point> points, const Stroke& stroke) {
    std::vector<Point> dash = {points[0]};
    std::size_t nth = 0;                    // index of the dash length; even ones are drawn
    double left = stroke.dash.length(nth);  // remaining length
    for (std::size_t i = 1; i < points.size(); ++i) {
        Point from = points[i - 1];
        Point step = minus(points[i], from);
        double length = std::hypot(step.x, step.y);
        while (length > left) {
            from = {from.x + step.x * left / length, from.y + step.y * left / length};
            step = minus(points[i], from);
            length -= left;
            if (nth % 2 == 0) {
                dash.push_back(from);
                solid(dash, stroke);
            }
            dash = {from};
            left = stroke.dash.length(++nth);
        }
        left -= length;
        dash.push_back(points[i]);
    }
    if (nth % 2 == 0 && dash.size() > 1) solid(dash, stroke);
}

void ImGuiCanvas::fill_between(std::span<const Point> upper, std::span<const Point> lower, Color color) {
    const std::size_t count = std::min(upper.size(), lower.size());
    const ImVec2 white = ImGui::GetFontTexUvWhitePixel();
    const auto corner = [&](Point p) { return compat::vector(to_device(p)); };
    for (std::size_t i = 1; i < count; ++i) {
        list_.PrimReserve(6, 4);
        list_.PrimQuadUV(corner(upper[i - 1]), corner(upper[i]), corner(lower[i]), corner(lower[i - 1]), white, white,
                         white, white, compat::color(color));
    }
}

void ImGuiCanvas::circle(Point centre, double radius, Color fill, const Stroke& outline) {
    const ImVec2 at = compat::vector(to_device(centre));
    if (fill.a > 0) list_.AddCircleFilled(at, device(radius), compat::color(fill));
    if (outline.width > 0 && outline.color.a > 0)
        list_.AddCircle(at, device(radius), compat::color(outline.color), 0, device(outline.width));
}

void ImGuiCanvas::text(Point anchor, std::string_view utf8, const TextStyle& style) {
    fonts_.draw(list_, to_device(anchor), utf8, style);
}

void ImGuiCanvas::image(const Rect& rect, const Image& image) {
    if (image.width > 0 && image.height > 0) texture(rect, textures_.find(image));
}

void ImGuiCanvas::heat_map(const Rect& rect, const HeatMap& map) {
    if (map.rows <= 0 || map.columns <= 0) return;
    const TextureCache::Entry& entry = textures_.find(map);
    if (entry.masked) fill_masked(rect, map);
    texture(rect, entry.handle);
}

void ImGuiCanvas::add_tooltip(const Rect& rect, std::string_view title, std::string_view text) {
    explanations_.push_back({rect, std::string(title), std::string(text)});
}

void ImGuiCanvas::draw_faded(double opacity, const std::function<void()>& draw) {
    const int first = list_.VtxBuffer.Size;
    draw();
    for (int i = first; i < list_.VtxBuffer.Size; ++i) {
        ImU32& color = list_.VtxBuffer[i].col;
        const auto alpha = static_cast<double>(color >> IM_COL32_A_SHIFT & 0xff);
        color = (color & ~IM_COL32_A_MASK) | static_cast<ImU32>(std::lround(opacity * alpha)) << IM_COL32_A_SHIFT;
    }
}

void ImGuiCanvas::texture(const Rect& rect, std::uintptr_t handle) {
    list_.AddImage(compat::texture_id(handle), compat::vector(to_device({rect.x, rect.y})),
                   compat::vector(to_device({rect.right(), rect.bottom()})));
}

void ImGuiCanvas::push_clip(const Rect& rect) {
    const Point low = to_device({rect.x, rect.y}), high = to_device({rect.right(), rect.bottom()});
    const Point whole_low = {std::round(low.x), std::round(low.y)},
                whole_high = {std::round(high.x), std::round(high.y)};
    list_.PushClipRect(compat::vector(whole_low), compat::vector(whole_high), true);
}

void ImGuiCanvas::pop_clip() {
    list_.PopClipRect();
}

}  // namespace ropewalk
