// A canvas that records what was drawn and what did not fit.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "app/plot/colormap.h"
#include "app/plot/omitted_canvas.h"

namespace ropewalk {

struct DrawnRect {
    Rect rect;
    Color color;
    bool filled;
};
struct DrawnLine {
    std::vector<Point> points;
    Stroke stroke;
};
struct DrawnBand {
    std::vector<Point> upper, lower;
    Color color;
};
struct DrawnCircle {
    Point centre;
    double radius;
    Color fill;
};
struct DrawnText {
    Rect box;
    std::string text;
    TextStyle style;
};  // box: the rectangle of its ink, including rotation
struct DrawnImage {
    Rect rect;
    int rows, columns;
};

/// One drawn item with its clip.
struct Drawn {
    std::variant<DrawnRect, DrawnLine, DrawnBand, DrawnCircle, DrawnText, DrawnImage> what;
    Rect clip;
};

/// Returns the bounding box of the outlines of a text's glyphs; empty for blanks.
Rect ink_box(Point anchor, std::string_view utf8, const TextStyle& style);

class RecordingCanvas : public OmittedCanvas {
  public:
    explicit RecordingCanvas(const Rect& bounds);

    const std::vector<Drawn>& drawn() const { return drawn_; }
    std::vector<DrawnText> texts() const;
    /// Returns sentences about faults of the drawing: coordinates that are not finite, ink outside the bounds (after
    /// clipping), overlapping texts, unbalanced clips.
    std::vector<std::string> faults() const;

    void fill_rect(const Rect& rect, Color color, double corner_radius) override;
    void stroke_rect(const Rect& rect, const Stroke& stroke, double corner_radius) override;
    void polyline(std::span<const Point> points, const Stroke& stroke) override;
    void fill_between(std::span<const Point> upper, std::span<const Point> lower, Color color) override;
    void circle(Point centre, double radius, Color fill, const Stroke& outline) override;
    void text(Point anchor, std::string_view utf8, const TextStyle& style) override;
    void image(const Rect& rect, const Image& image) override;
    void push_clip(const Rect& rect) override;
    void pop_clip() override;
    void heat_map(const Rect& rect, const HeatMap& map) override { Canvas::heat_map(rect, map); }

  private:
    template <class What>
    void record(What what);

    Rect bounds_;
    std::vector<Rect> clips_;  // each already intersected with the outer ones
    std::vector<Drawn> drawn_;
    int pops_too_many_ = 0;
};

}  // namespace ropewalk
