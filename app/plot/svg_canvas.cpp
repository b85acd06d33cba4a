// SVG output, with text as text and images as PNG data.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "app/plot/export.h"
#include "app/plot/fonts.h"
#include "app/plot/math/font_subset.h"
#include "app/plot/math/math_text.h"
#include "app/plot/mixed_cells.h"
#include "core/error.h"
#include "core/text/utf8.h"

namespace ropewalk {
namespace {

/// Returns a coordinate rounded to 0.01 pixel, without trailing zeros.
std::string number(double value) {
    ensure(std::isfinite(value), "coordinates are finite");
    std::string text = fmt::format("{:.2f}", value);
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
    return text == "-0" ? "0" : text;
}

/// Returns a length of the page: "900", or "85mm" if it is not a whole number of pixels. Page layout programs read a
/// number without unit as 1/72 to 1/96 inch.
std::string page_length(double px) {
    if (px == std::floor(px)) return number(px);
    constexpr double mm_per_px = 25.4 / 96, steps = 1e6, slack = 1e-3;
    // Rounded down, so that drawing at 96 dpi does not add a pixel.
    return fmt::format("{:.10g}mm", std::floor(px * mm_per_px * steps + slack) / steps);
}

/// Returns whether XML allows a character. It allows no control characters except tab and line breaks, not even
/// escaped.
bool is_allowed_in_xml(char32_t c) {
    return c == U'\t' || c == U'\n' || c == U'\r' || (c >= 0x20 && c != 0xfffe && c != 0xffff);
}

std::string escaped(std::string_view text) {
    std::string result;
    result.reserve(text.size());
    while (!text.empty()) {
        const char32_t c = take_character(text);
        switch (c) {
            case U'&': result += "&amp;"; break;
            case U'<': result += "&lt;"; break;
            case U'>': result += "&gt;"; break;
            case U'"': result += "&quot;"; break;
            case U'\'': result += "&apos;"; break;
            case U'\r': result += "&#13;"; break;  // an XML reader would turn it into a line feed
            default: result += utf8_of(is_allowed_in_xml(c) ? c : replacement_character);
        }
    }
    return result;
}

std::string base64(std::string_view bytes) {
    constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string result;
    result.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        unsigned three = 0;
        for (std::size_t k = 0; k < 3; ++k)
            three = three << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0u);
        for (std::size_t k = 0; k < 4; ++k) result += i + k <= bytes.size() ? digits[three >> (18 - 6 * k) & 63] : '=';
    }
    return result;
}

/// Returns fill="#rrggbb", with an opacity if the colour is not opaque.
std::string paint(std::string_view attribute, Color color) {
    std::string text = fmt::format(R"( {}="#{:02x}{:02x}{:02x}")", attribute, color.r, color.g, color.b);
    if (color.a != 255) text += fmt::format(R"( {}-opacity="{:.3g}")", attribute, color.a / 255.0);
    return text;
}

std::string box(const Rect& rect) {
    return fmt::format(R"( x="{}" y="{}" width="{}" height="{}")", number(rect.x), number(rect.y), number(rect.width),
                       number(rect.height));
}

std::string rounded(double radius) {
    return radius > 0 ? fmt::format(R"( rx="{}")", number(radius)) : std::string();
}

void append_point(std::string& list, Point point) {
    if (!list.empty()) list += ' ';
    list += number(point.x) + ',' + number(point.y);
}

class SvgCanvas : public Canvas {
  public:
    void fill_rect(const Rect& rect, Color color, double corner_radius) override {
        body_ += "<rect" + box(rect) + rounded(corner_radius) + paint("fill", color) + "/>\n";
    }

    void stroke_rect(const Rect& rect, const Stroke& stroke, double corner_radius) override {
        body_ += "<rect" + box(rect) + rounded(corner_radius) + R"( fill="none")" + stroked(stroke) + "/>\n";
    }

    void polyline(std::span<const Point> points, const Stroke& stroke) override {
        std::string list;
        for (const Point& point : points) append_point(list, point);
        body_ += "<polyline points=\"" + list + R"(" fill="none" stroke-linejoin="round")" + stroked(stroke) + "/>\n";
    }

    void fill_between(std::span<const Point> upper, std::span<const Point> lower, Color color) override {
        std::string list;
        for (const Point& point : upper) append_point(list, point);
        for (std::size_t i = lower.size(); i > 0; --i) append_point(list, lower[i - 1]);
        body_ += "<polygon points=\"" + list + "\"" + paint("fill", color) + "/>\n";
    }

    void circle(Point centre, double radius, Color fill, const Stroke& outline) override {
        body_ += fmt::format(R"(<circle cx="{}" cy="{}" r="{}")", number(centre.x), number(centre.y), number(radius)) +
                 paint("fill", fill) + (outline.width > 0 ? stroked(outline) : std::string()) + "/>\n";
    }

    void text(Point anchor, std::string_view utf8, const TextStyle& style) override {
        constexpr std::array<std::string_view, 3> anchors{"", R"( text-anchor="middle")", R"( text-anchor="end")"};
        TextStyle set = style;
        set.weight = in_typeface(style.weight);
        const std::vector<Glyph> glyphs = glyphs_of(utf8, set.weight);
        for (const Glyph& glyph : glyphs)
            if (glyph.face == Face::math) math_characters_.insert(glyph.character);
        const auto parts = parts_of(utf8);
        const bool has_math =
            std::any_of(parts.begin(), parts.end(), [](const TextPart& part) { return part.is_math; });
        if (has_math || !is_plain(glyphs, set.weight)) return glyph_runs(pen_start(anchor, utf8, set), glyphs, set);
        const double below = baseline_below_anchor(set);
        const std::string place = style.rotation == Rotation::none
                                      ? fmt::format(R"( x="{}" y="{}")", number(anchor.x), number(anchor.y + below))
                                      : fmt::format(" transform=\"translate({} {}) rotate(-90)\"",
                                                    number(anchor.x + below), number(anchor.y));
        body_ += "<text" + place + fmt::format(R"( font-size="{}")", number(style.size)) +
                 (set.weight == Weight::semibold ? R"( font-weight="600")" : "") +
                 (set.weight == Weight::serif ? math_family : "");
        body_ += anchors.at(static_cast<std::size_t>(style.across));
        body_ += paint("fill", style.color) + ">" + characters_of(glyphs) + "</text>\n";
    }

    void image(const Rect& rect, const Image& image) override {
        // A viewer with more cells than pixels must average them, or lines one cell wide are lost.
        const bool is_finer = image.width > rect.width || image.height > rect.height;
        body_ += "<image" + box(rect) + R"( preserveAspectRatio="none")" +
                 (is_finer ? "" : R"( style="image-rendering:pixelated")") + R"( href="data:image/png;base64,)" +
                 base64(png_bytes(with_large_cells(image, rect), {})) + "\"/>\n";
    }

    void push_clip(const Rect& rect) override {
        // Named after its rectangle, so that several documents on one page do not use each other's clips.
        const std::string id =
            fmt::format("clip{}_{}_{}_{}", number(rect.x), number(rect.y), number(rect.width), number(rect.height));
        if (clips_.insert(id).second) body_ += "<clipPath id=\"" + id + "\"><rect" + box(rect) + "/></clipPath>\n";
        body_ += "<g clip-path=\"url(#" + id + ")\">\n";
        ++open_clips_;
    }

    void pop_clip() override {
        ensure(open_clips_ > 0, "every pop_clip has its push_clip");
        body_ += "</g>\n";
        --open_clips_;
    }

    std::string document(const ExportOptions& options) const {
        ensure(open_clips_ == 0, "every push_clip has its pop_clip");
        const std::string width = number(options.width * options.density),
                          height = number(options.height * options.density);
        std::string text = fmt::format(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            R"(<svg xmlns="http://www.w3.org/2000/svg" width="{0}" height="{1}" viewBox="0 0 {2} {3}" )"
            R"(font-family="Inter, 'DejaVu Sans', sans-serif" xml:space="preserve">)"
            "\n",
            page_length(options.width), page_length(options.height), width, height);
        if (!options.title.empty()) text += "<title>" + escaped(options.title) + "</title>\n";
        if (!options.scene.empty()) {  // it may be large; `+` would copy it again
            text += "<metadata id=\"ropewalk\">";
            text += escaped(options.scene);
            text += "</metadata>\n";
        }
        if (!math_characters_.empty())
            text += R"(<style>@font-face{font-family:"Latin Modern Math";src:url(data:font/otf;base64,)" +
                    base64(font_subset(font_files().math, math_characters_)) + ")}</style>\n";
        if (options.background.a != 0)
            text +=
                "<rect width=\"" + width + "\" height=\"" + height + "\"" + paint("fill", options.background) + "/>\n";
        text += body_;
        text += "</svg>\n";
        return text;
    }

  private:
    static constexpr const char* math_family = R"( font-family="'Latin Modern Math', 'Latin Modern Roman', serif")";

    /// Returns whether all glyphs have the size and the place that a viewer gives them.
    static bool is_plain(const std::vector<Glyph>& glyphs, Weight weight) {
        return std::all_of(glyphs.begin(), glyphs.end(), [&](const Glyph& glyph) {
            return glyph.size == 1 && glyph.rise == 0 && (glyph.face == Face::math) == (weight == Weight::serif);
        });
    }

    static std::string characters_of(std::span<const Glyph> glyphs) {
        std::string text;
        for (const Glyph& glyph : glyphs) text += utf8_of(glyph.character);
        return escaped(text);
    }

    /// Writes a text with formulas: a run of text for each face, size and height, and the rules.
    void glyph_runs(Point pen, const std::vector<Glyph>& glyphs, const TextStyle& style) {
        body_ += fmt::format(R"(<g transform="translate({} {}){}"{}>)", number(pen.x), number(pen.y),
                             style.rotation == Rotation::none ? "" : " rotate(-90)", paint("fill", style.color));
        double x = 0;
        for (auto first = glyphs.begin(); first != glyphs.end();) {
            const auto end = std::find_if(first + 1, glyphs.end(), [&](const Glyph& glyph) {
                return first->is_rule() || glyph.is_rule() || glyph.face != first->face || glyph.size != first->size ||
                       glyph.rise != first->rise || std::abs(glyph.space_before) > 1e-6;
            });
            const double left = x + first->space_before * style.size, y = -first->rise * style.size;
            if (first->is_rule()) {
                const double thickness = rule_thickness * style.size;
                body_ += "<rect" + box({left, y - thickness / 2, first->size * style.size, thickness}) + "/>";
            } else {
                body_ +=
                    fmt::format(R"(<text x="{}" y="{}" font-size="{}")", number(left), number(y),
                                number(first->size * style.size)) +
                    (style.weight == Weight::semibold && first->face != Face::math ? R"( font-weight="600")" : "") +
                    (first->face == Face::math ? math_family : "") + ">";
                body_ += characters_of({first, end}) + "</text>";
            }
            for (; first != end; ++first) x += first->advance * style.size;
        }
        body_ += "</g>\n";
    }

    std::string stroked(const Stroke& stroke) const {
        std::string text =
            paint("stroke", stroke.color) + fmt::format(R"( stroke-width="{}")", number(scaled(stroke.width)));
        if (stroke.dash.is_solid()) return text;
        std::string lengths;
        for (const double length : stroke.dash.lengths()) lengths += (lengths.empty() ? "" : " ") + number(length);
        return text + fmt::format(R"( stroke-dasharray="{}")", lengths);
    }

    std::set<char32_t> math_characters_;
    std::string body_;
    std::set<std::string> clips_;
    int open_clips_ = 0;
};

}  // namespace

std::string draw_svg(const ExportOptions& options, const Draw& draw) {
    SvgCanvas canvas;
    canvas.set_serif(options.serif);
    canvas.set_line_scale(options.line_scale);
    draw(canvas);
    return canvas.document(options);
}

}  // namespace ropewalk
