#include "tests/figures/recording_canvas.h"

#include <fmt/format.h>
#include <ft2build.h>
#include FT_FREETYPE_H

#include <algorithm>
#include <cmath>

#include "app/plot/fonts.h"
#include "core/numbers/numbers.h"

namespace ropewalk {
namespace {

constexpr double edge_tolerance = 0.01;  // pixels

Rect common_part(const Rect& a, const Rect& b) {
    const double left = std::max(a.x, b.x), top = std::max(a.y, b.y);
    return {left, top, std::max(0.0, std::min(a.right(), b.right()) - left),
            std::max(0.0, std::min(a.bottom(), b.bottom()) - top)};
}

bool is_finite(const Rect& r) {
    return std::isfinite(r.x) && std::isfinite(r.y) && std::isfinite(r.width) && std::isfinite(r.height);
}

bool holds_ink(const Rect& r) {
    return r.width > edge_tolerance && r.height > edge_tolerance;
}

bool lies_within(const Rect& inner, const Rect& outer) {
    return inner.x >= outer.x - edge_tolerance && inner.y >= outer.y - edge_tolerance &&
           inner.right() <= outer.right() + edge_tolerance && inner.bottom() <= outer.bottom() + edge_tolerance;
}

/// Returns the rectangle around the points; NaN if a point is NaN.
Rect box_around(std::span<const Point> points, double half_width) {
    if (points.empty()) return {};
    constexpr double endless = infinity;
    double left = endless, top = endless, right = -endless, bottom = -endless;
    for (const Point& point : points) {
        if (!std::isfinite(point.x) || !std::isfinite(point.y)) return {point.x, point.y, std::nan(""), std::nan("")};
        left = std::min(left, point.x);
        right = std::max(right, point.x);
        top = std::min(top, point.y);
        bottom = std::max(bottom, point.y);
    }
    return Rect{left, top, right - left, bottom - top}.inset(-half_width);
}

struct Described {
    const char* name;
    Rect ink;
};

struct Describe {
    Described operator()(const DrawnRect& d) const { return {"a rectangle", d.rect}; }
    Described operator()(const DrawnLine& d) const { return {"a line", box_around(d.points, d.stroke.width / 2)}; }
    Described operator()(const DrawnBand& d) const {
        std::vector<Point> points = d.upper;
        points.insert(points.end(), d.lower.begin(), d.lower.end());
        return {"a band", box_around(points, 0)};
    }
    Described operator()(const DrawnCircle& d) const { return {"a circle", box_around({&d.centre, 1}, d.radius)}; }
    Described operator()(const DrawnText& d) const { return {"a text", d.box}; }
    Described operator()(const DrawnImage& d) const { return {"an image", d.rect}; }
};

std::string text_of(const Rect& r) {
    return fmt::format("({:.1f}, {:.1f}) to ({:.1f}, {:.1f})", r.x, r.y, r.right(), r.bottom());
}

}  // namespace

Rect ink_box(Point anchor, std::string_view utf8, const TextStyle& style) {
    double x = 0, left = infinity, right = -infinity, bottom = infinity, top = -infinity;  // em
    for (const Glyph& glyph : glyphs_of(utf8, style.weight)) {
        if (glyph.is_rule()) {
            left = std::min(left, x + glyph.space_before);
            right = std::max(right, x + glyph.space_before + glyph.size);
            bottom = std::min(bottom, glyph.rise), top = std::max(top, glyph.rise);
            x += glyph.advance;
            continue;
        }
        const FT_Face face = face_for_cairo(glyph.face);
        FT_Load_Glyph(face, glyph.index, FT_LOAD_NO_SCALE);
        const FT_Glyph_Metrics& units = face->glyph->metrics;
        const double em = face->units_per_EM / glyph.size,
                     start = x + glyph.space_before + static_cast<double>(units.horiBearingX) / em;
        x += glyph.advance;
        if (units.width == 0) continue;
        left = std::min(left, start), right = std::max(right, start + static_cast<double>(units.width) / em);
        bottom = std::min(bottom, glyph.rise + static_cast<double>(units.horiBearingY - units.height) / em);
        top = std::max(top, glyph.rise + static_cast<double>(units.horiBearingY) / em);
    }
    if (left > right) left = right = bottom = top = 0;
    const Point pen = pen_start(anchor, utf8, style);
    const double along = (right - left) * style.size, across = (top - bottom) * style.size;
    if (style.rotation == Rotation::none) return {pen.x + left * style.size, pen.y - top * style.size, along, across};
    return {pen.x - top * style.size, pen.y - right * style.size, across, along};
}

RecordingCanvas::RecordingCanvas(const Rect& bounds) : bounds_(bounds) {}

std::vector<DrawnText> RecordingCanvas::texts() const {
    std::vector<DrawnText> found;
    for (const Drawn& drawn : drawn_)
        if (const auto* text = std::get_if<DrawnText>(&drawn.what)) found.push_back(*text);
    return found;
}

std::vector<std::string> RecordingCanvas::faults() const {
    std::vector<std::string> sentences;
    if (!clips_.empty()) sentences.push_back(fmt::format("{} clips were not popped.", clips_.size()));
    if (pops_too_many_ > 0) sentences.push_back(fmt::format("{} clips were popped without a push.", pops_too_many_));

    struct Ink {
        const DrawnText* text;
        Rect rect;
    };
    std::vector<Ink> texts;
    for (const Drawn& drawn : drawn_) {
        const auto [name, ink] = std::visit(Describe{}, drawn.what);
        const auto* text = std::get_if<DrawnText>(&drawn.what);
        const std::string what = text ? fmt::format("the text '{}'", text->text) : name;
        if (!is_finite(ink)) {
            sentences.push_back(fmt::format("A coordinate of {} is not finite.", what));
            continue;
        }
        if (ink.width < 0 || ink.height < 0) sentences.push_back(fmt::format("The size of {} is negative.", what));
        const Rect visible = common_part(ink, drawn.clip);
        if (!holds_ink(visible)) continue;
        if (!lies_within(visible, bounds_))
            sentences.push_back(fmt::format("{} at {} leaves {}.", what, text_of(visible), text_of(bounds_)));
        if (!text) continue;
        for (const Ink& other : texts)
            if (holds_ink(common_part(visible, other.rect)))
                sentences.push_back(fmt::format("The texts '{}' and '{}' overlap.", other.text->text, text->text));
        texts.push_back({text, visible});
    }
    return sentences;
}

template <class What>
void RecordingCanvas::record(What what) {
    // Do not clip to the bounds, so that ink outside them is found.
    constexpr double huge = 1e9;
    drawn_.push_back({std::move(what), clips_.empty() ? Rect{-huge, -huge, 2 * huge, 2 * huge} : clips_.back()});
}

void RecordingCanvas::fill_rect(const Rect& rect, Color color, double) {
    record(DrawnRect{rect, color, true});
}

void RecordingCanvas::stroke_rect(const Rect& rect, const Stroke& stroke, double) {
    record(DrawnRect{rect.inset(-stroke.width / 2), stroke.color, false});
}

void RecordingCanvas::polyline(std::span<const Point> points, const Stroke& stroke) {
    record(DrawnLine{{points.begin(), points.end()}, stroke});
}

void RecordingCanvas::fill_between(std::span<const Point> upper, std::span<const Point> lower, Color color) {
    record(DrawnBand{{upper.begin(), upper.end()}, {lower.begin(), lower.end()}, color});
}

void RecordingCanvas::circle(Point centre, double radius, Color fill, const Stroke& outline) {
    record(DrawnCircle{centre, radius + outline.width / 2, fill});
}

void RecordingCanvas::text(Point anchor, std::string_view utf8, const TextStyle& style) {
    record(DrawnText{ink_box(anchor, utf8, style), std::string(utf8), style});
}

void RecordingCanvas::image(const Rect& rect, const Image& image) {
    record(DrawnImage{rect, image.height, image.width});
}

void RecordingCanvas::push_clip(const Rect& rect) {
    clips_.push_back(clips_.empty() ? rect : common_part(clips_.back(), rect));
}

void RecordingCanvas::pop_clip() {
    if (clips_.empty())
        ++pops_too_many_;
    else
        clips_.pop_back();
}

}  // namespace ropewalk
