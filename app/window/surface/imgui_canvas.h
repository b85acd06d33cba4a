// The canvas of the window: draws into an ImGui draw list.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/plot/canvas.h"
#include "app/plot/colormap.h"
#include "app/window/surface/imgui_fonts.h"
#include "app/window/surface/texture_cache.h"

namespace ropewalk {

/// The tooltip of an area of a figure.
struct Explanation {
    Rect rect;  // logical pixels from the canvas's origin
    std::string title, text;
};

/// Draws in logical pixels whose origin is the device pixel `origin`; a logical pixel is fonts.scale() device pixels.
class ImGuiCanvas : public Canvas {
  public:
    ImGuiCanvas(ImDrawList& list, const Fonts& fonts, TextureCache& textures, Point origin = {});

    using Canvas::fill_rect;
    using Canvas::stroke_rect;
    void fill_rect(const Rect& rect, Color color, double corner_radius) override;
    void stroke_rect(const Rect& rect, const Stroke& stroke, double corner_radius) override;
    void polyline(std::span<const Point> points, const Stroke& stroke) override;
    void fill_between(std::span<const Point> upper, std::span<const Point> lower, Color color) override;
    void circle(Point centre, double radius, Color fill, const Stroke& outline) override;
    void text(Point anchor, std::string_view utf8, const TextStyle& style) override;
    void image(const Rect& rect, const Image& image) override;
    void push_clip(const Rect& rect) override;
    void pop_clip() override;
    void heat_map(const Rect& rect, const HeatMap& map) override;
    void add_tooltip(const Rect& rect, std::string_view title, std::string_view text) override;

    Point to_device(Point p) const { return {origin_.x + p.x * scale_, origin_.y + p.y * scale_}; }
    /// Calls `draw` and makes what it draws translucent.
    void draw_faded(double opacity, const std::function<void()>& draw);
    /// Returns the tooltips of what was drawn, in order.
    const std::vector<Explanation>& explanations() const { return explanations_; }

  private:
    void solid(std::span<const Point> points, const Stroke& stroke);
    void dashed(std::span<const Point> points, const Stroke& stroke);
    void piece(std::span<const Point> points, const Stroke& stroke);
    void texture(const Rect& rect, std::uintptr_t handle);
    float device(double logical) const { return static_cast<float>(logical * scale_); }

    ImDrawList& list_;
    const Fonts& fonts_;
    TextureCache& textures_;
    Point origin_;
    double scale_;
    std::vector<Explanation> explanations_;
};

}  // namespace ropewalk
