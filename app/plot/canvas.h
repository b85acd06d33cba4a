// app/plot: plots without a window: axes, marks, colours, fonts, and canvases for SVG, PDF and PNG. Here: the Canvas
// that figures draw on. The window and the tests have canvases of their own.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace ropewalk {

/// A point in logical pixels (1/96 inch), x to the right, y down.
struct Point {
    double x = 0, y = 0;

    bool operator==(const Point&) const = default;
};

struct Rect {
    double x = 0, y = 0, width = 0, height = 0;

    double right() const { return x + width; }
    double bottom() const { return y + height; }
    Point centre() const { return {x + width / 2, y + height / 2}; }
    bool contains(Point p) const { return p.x >= x && p.x < right() && p.y >= y && p.y < bottom(); }
    bool overlaps(const Rect& r) const { return x < r.right() && r.x < right() && y < r.bottom() && r.y < bottom(); }
    Rect inset(double by) const { return {x + by, y + by, width - 2 * by, height - 2 * by}; }
    bool operator==(const Rect&) const = default;
};

/// The smallest and the largest scale of a display or of `--scale`, in device pixels per logical pixel.
inline constexpr double smallest_scale = 0.25, largest_scale = 8;

/// An sRGB colour with straight alpha.
struct Color {
    std::uint8_t r = 0, g = 0, b = 0, a = 255;

    Color with_alpha(double alpha) const { return {r, g, b, static_cast<std::uint8_t>(alpha * 255 + 0.5)}; }
    bool operator==(const Color&) const = default;
};

/// A dash pattern: alternating lengths of dashes and gaps, repeated. A single length applies to both. None: a solid
/// line.
class Dashes {
  public:
    constexpr Dashes() = default;
    constexpr Dashes(double even) : lengths_{even}, count_(even > 0 ? 1 : 0) {}
    /// Takes an even number of positive lengths, at most six.
    constexpr Dashes(std::initializer_list<double> lengths) : count_(lengths.size()) {
        const bool are_positive = std::all_of(lengths.begin(), lengths.end(), [](double length) { return length > 0; });
        if (count_ > lengths_.size() || count_ % 2 != 0 || !are_positive)
            throw std::logic_error("invalid dash pattern");
        std::copy(lengths.begin(), lengths.end(), lengths_.begin());
    }

    constexpr bool is_solid() const { return count_ == 0; }
    std::span<const double> lengths() const { return {lengths_.data(), count_}; }
    /// Returns the nth length of the repeated pattern.
    double length(std::size_t nth) const { return lengths_[nth % count_]; }
    /// Returns the pattern scaled as little as necessary for a line of this length to end with a whole dash.
    Dashes fitted(double length) const;
    bool operator==(const Dashes&) const = default;

  private:
    std::array<double, 6> lengths_{};
    std::size_t count_ = 0;
};

struct Stroke {
    Color color;
    double width = 1;
    Dashes dash{};

    bool operator==(const Stroke&) const = default;
};

/// How text is set: in the typeface of the window, or in the roman of the mathematical font (for paper).
enum class Weight { regular, semibold, serif };
enum class Align { start, middle, end };
enum class Rotation { none, quarter_left };  // quarter_left reads from bottom to top

struct TextStyle {
    double size = 12;  // em size
    Color color;
    Weight weight = Weight::regular;
    Align across = Align::start;  // start: the anchor is the text's left end (its bottom end when rotated)
    Align down = Align::middle;  // start: the anchor is at the top of the line box, middle: at mid x-height…cap-height,
                                 // end: at the bottom
    Rotation rotation = Rotation::none;
};

struct TextExtent {
    double width = 0, ascent = 0, descent = 0;

    double height() const { return ascent + descent; }
};

/// An image of RGBA8 pixels, row-major from the top.
struct Image {
    int width = 0, height = 0;
    std::vector<Color> pixels;
};

struct HeatMap;

class Canvas {
  public:
    virtual ~Canvas() = default;

    /// Returns the size of a line of text in the fonts of exported files.
    virtual TextExtent measure(std::string_view utf8, double size, Weight weight) const;

    virtual void fill_rect(const Rect& rect, Color color, double corner_radius) = 0;
    virtual void stroke_rect(const Rect& rect, const Stroke& stroke, double corner_radius) = 0;
    /// Draws an open line through the points, with round joins; NaN is not allowed.
    virtual void polyline(std::span<const Point> points, const Stroke& stroke) = 0;
    /// Fills the area between two curves: upper[i] and lower[i] have the same x or, for vertical curves, the same y.
    virtual void fill_between(std::span<const Point> upper, std::span<const Point> lower, Color color) = 0;
    virtual void circle(Point centre, double radius, Color fill, const Stroke& outline) = 0;
    virtual void text(Point anchor, std::string_view utf8, const TextStyle& style) = 0;
    /// Draws an image over `rect` without smoothing.
    virtual void image(const Rect& rect, const Image& image) = 0;
    /// Clips everything until pop_clip to `rect` (and to the outer clips).
    virtual void push_clip(const Rect& rect) = 0;
    virtual void pop_clip() = 0;

    /// Reports a part of the picture, in words, that did not fit. Draws nothing; for canvases that list what is
    /// missing.
    virtual void report_omitted(std::string_view) {}
    /// Adds a tooltip for `rect`. Draws nothing; only interactive canvases show it.
    virtual void add_tooltip(const Rect& /*rect*/, std::string_view /*title*/, std::string_view /*text*/) {}

    /// Colours the values and draws the image. A canvas with textures may override this.
    virtual void heat_map(const Rect& rect, const HeatMap& map);

    void line(Point from, Point to, const Stroke& stroke) {
        const Point points[] = {from, to};
        polyline(points, stroke);
    }
    void fill_rect(const Rect& rect, Color color) { fill_rect(rect, color, 0); }
    void stroke_rect(const Rect& rect, const Stroke& stroke) { stroke_rect(rect, stroke, 0); }

    /// Sets all text in the roman of the mathematical font, or in the typeface of the window.
    void set_serif(bool serif) { is_serif_ = serif; }
    /// Scales the widths of all lines.
    void set_line_scale(double scale) { line_scale_ = scale; }

  protected:
    Weight in_typeface(Weight weight) const { return is_serif_ ? Weight::serif : weight; }
    double scaled(double line_width) const { return line_scale_ * line_width; }

    /// Draws the background and hatch of masked cells.
    void fill_masked(const Rect& rect, const HeatMap& map);

  private:
    bool is_serif_ = false;
    double line_scale_ = 1;
};

}  // namespace ropewalk
