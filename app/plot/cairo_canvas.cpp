// PDF and PNG output through Cairo.
#include <cairo-ft.h>
#include <cairo-pdf.h>
#include <cairo.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "app/plot/export.h"
#include "app/plot/fonts.h"
#include "app/plot/math/math_text.h"
#include "app/plot/mixed_cells.h"
#include "core/error.h"
#include "core/owned.h"
#include "core/text/utf8.h"

namespace ropewalk {
namespace {

using Context = Owned<cairo_t, cairo_destroy>;
using Surface = Owned<cairo_surface_t, cairo_surface_destroy>;
using PaintPattern = Owned<cairo_pattern_t, cairo_pattern_destroy>;
using FontFace = Owned<cairo_font_face_t, cairo_font_face_destroy>;
using FontOptions = Owned<cairo_font_options_t, cairo_font_options_destroy>;

constexpr int largest_side = 32'767;  // limit of Cairo's pixel surfaces

void check(cairo_status_t status) {
    if (status == CAIRO_STATUS_NO_MEMORY) throw LimitError("There is not enough memory to draw this figure.");
    if (status != CAIRO_STATUS_SUCCESS) throw std::logic_error(std::string("Cairo: ") + cairo_status_to_string(status));
}

cairo_font_face_t* font_face(Face face) {
    static const auto faces = [] {
        std::array<FontFace, face_count> opened;
        for (std::size_t i = 0; i < opened.size(); ++i)
            opened[i].reset(cairo_ft_font_face_create_for_ft_face(face_for_cairo(static_cast<Face>(i)), 0));
        return opened;
    }();
    return faces.at(static_cast<std::size_t>(face)).get();
}

Color straight(std::uint32_t argb) {
    const std::uint32_t alpha = argb >> 24;
    if (alpha == 0) return {0, 0, 0, 0};
    const auto part = [&](int shift) {
        return static_cast<std::uint8_t>(std::min(255u, ((argb >> shift & 0xff) * 255 + alpha / 2) / alpha));
    };
    return {part(16), part(8), part(0), static_cast<std::uint8_t>(alpha)};
}

/// Returns a row of an image surface; rows are padded to whole words.
template <class Pixel>
Pixel* row_of(cairo_surface_t* surface, int row) {
    const auto offset = static_cast<std::ptrdiff_t>(row) * cairo_image_surface_get_stride(surface);
    return reinterpret_cast<Pixel*>(cairo_image_surface_get_data(surface) + offset);
}

/// Returns a surface with pixel_of(color) for every pixel.
template <class F>
Surface surface_of(const Image& image, cairo_format_t format, F&& pixel_of) {
    Surface surface(cairo_image_surface_create(format, image.width, image.height));
    check(cairo_surface_status(surface.get()));
    auto color = image.pixels.begin();
    for (int row = 0; row < image.height; ++row, color += image.width)
        std::transform(color, color + image.width, row_of<decltype(pixel_of(Color{}))>(surface.get(), row), pixel_of);
    cairo_surface_mark_dirty(surface.get());
    return surface;
}

PaintPattern pattern_of(const Surface& surface) {
    PaintPattern pattern(cairo_pattern_create_for_surface(surface.get()));
    cairo_pattern_set_filter(pattern.get(), CAIRO_FILTER_NEAREST);
    return pattern;
}

/// Whether to draw text as text (PDF) or as filled outlines. In an image, Cairo places text glyphs on whole pixels
/// only.
enum class Glyphs { text, outlines };

class CairoCanvas : public Canvas {
  public:
    CairoCanvas(cairo_t* context, Glyphs glyphs) : cairo_(context), glyphs_(glyphs) {
        cairo_set_line_join(cairo_, CAIRO_LINE_JOIN_ROUND);
    }

    void fill_rect(const Rect& rect, Color color, double corner_radius) override {
        trace(rect, corner_radius);
        // In an image, bars have whole pixels as sides. Print has no pixels, and a reduced image has thinner lines.
        double pixels = 1, across = 0;
        cairo_user_to_device_distance(cairo_, &pixels, &across);
        const bool is_snapped = corner_radius == 0 && pixels >= 1;
        cairo_set_antialias(cairo_, is_snapped ? CAIRO_ANTIALIAS_NONE : CAIRO_ANTIALIAS_DEFAULT);
        fill(color);
        cairo_set_antialias(cairo_, CAIRO_ANTIALIAS_DEFAULT);
    }

    void stroke_rect(const Rect& rect, const Stroke& stroke, double corner_radius) override {
        trace(rect, corner_radius);
        outline(stroke);
    }

    void polyline(std::span<const Point> points, const Stroke& stroke) override {
        for (const Point& point : points) cairo_line_to(cairo_, point.x, point.y);
        outline(stroke);
    }

    void fill_between(std::span<const Point> upper, std::span<const Point> lower, Color color) override {
        for (const Point& point : upper) cairo_line_to(cairo_, point.x, point.y);
        for (std::size_t i = lower.size(); i > 0; --i) cairo_line_to(cairo_, lower[i - 1].x, lower[i - 1].y);
        cairo_close_path(cairo_);
        fill(color);
    }

    void circle(Point centre, double radius, Color color, const Stroke& stroke) override {
        cairo_new_sub_path(cairo_);
        cairo_arc(cairo_, centre.x, centre.y, radius, 0, 2 * std::numbers::pi);
        set_color(color);
        cairo_fill_preserve(cairo_);
        outline(stroke);
    }

    void text(Point anchor, std::string_view utf8, const TextStyle& style) override {
        cairo_save(cairo_);
        TextStyle set = style;
        set.weight = in_typeface(style.weight);
        const Point pen = snapped(pen_start(anchor, utf8, set), style.rotation);
        cairo_translate(cairo_, pen.x, pen.y);
        if (style.rotation == Rotation::quarter_left) cairo_rotate(cairo_, -std::numbers::pi / 2);
        set_color(style.color);
        set_hinting(style.rotation);
        show(glyphs_of(utf8, in_typeface(style.weight)), style.size);
        cairo_restore(cairo_);
    }

    void image(const Rect& rect, const Image& cells) override {
        if (cells.width == 0 || cells.height == 0 || !(rect.width > 0 && rect.height > 0)) return;
        if (glyphs_ == Glyphs::text) {
            draw_cells(rect, with_large_cells(cells, rect));
            return;
        }
        // Cells keep their edges. Those smaller than pixels are averaged so that none is lost.
        double across = rect.width, down = rect.height;
        cairo_user_to_device_distance(cairo_, &across, &down);
        const auto shown = [](int count, double pixels) {
            return std::clamp(static_cast<int>(std::lround(pixels)), 1, count);
        };
        const int columns = shown(cells.width, across), rows = shown(cells.height, down);
        if (columns != cells.width || rows != cells.height)
            draw_cells(rect, mixed_cells(cells, columns, rows));
        else
            draw_cells(rect, cells);
    }

    void push_clip(const Rect& rect) override {
        cairo_save(cairo_);
        trace(rect, 0);
        cairo_clip(cairo_);
        ++open_clips_;
    }

    void pop_clip() override {
        ensure(open_clips_ > 0, "every pop_clip has its push_clip");
        cairo_restore(cairo_);
        --open_clips_;
    }

    void finish() {
        ensure(open_clips_ == 0, "every push_clip has its pop_clip");
        check(cairo_status(cairo_));
    }

    /// Fills the whole surface, including a partial pixel at the end of the page.
    void paint(Color color) {
        set_color(color);
        cairo_paint(cairo_);
    }

  private:
    void draw_cells(const Rect& rect, const Image& image) {
        cairo_save(cairo_);
        cairo_translate(cairo_, rect.x, rect.y);
        cairo_scale(cairo_, rect.width / image.width, rect.height / image.height);
        const Surface colors = surface_of(image, CAIRO_FORMAT_RGB24, [](Color c) {
            return std::uint32_t{c.r} << 16 | std::uint32_t{c.g} << 8 | c.b;
        });
        cairo_set_source(cairo_, pattern_of(colors).get());
        if (std::all_of(image.pixels.begin(), image.pixels.end(), [](Color color) { return color.a == 255; })) {
            cairo_rectangle(cairo_, 0, 0, image.width, image.height);
            cairo_fill(cairo_);
        } else {
            // Colour and opacity separately: a viewer that smooths would otherwise show the black of premultiplied
            // transparent pixels.
            const Surface opacity = surface_of(image, CAIRO_FORMAT_A8, [](Color c) { return c.a; });
            cairo_mask(cairo_, pattern_of(opacity).get());
        }
        cairo_restore(cairo_);
    }

    void set_color(Color color) {
        cairo_set_source_rgba(cairo_, color.r / 255.0, color.g / 255.0, color.b / 255.0, color.a / 255.0);
    }

    void fill(Color color) {
        set_color(color);
        cairo_fill(cairo_);
    }

    void outline(const Stroke& stroke) {
        if (stroke.width > 0) {
            set_color(stroke.color);
            cairo_set_line_width(cairo_, scaled(stroke.width));
            const std::span<const double> dashes = stroke.dash.lengths();
            cairo_set_dash(cairo_, dashes.data(), static_cast<int>(dashes.size()), 0);
            cairo_stroke_preserve(cairo_);
        }
        cairo_new_path(cairo_);
    }

    void trace(const Rect& rect, double corner_radius) {
        const double radius = std::min({corner_radius, rect.width / 2, rect.height / 2});
        if (!(radius > 0)) {
            cairo_rectangle(cairo_, rect.x, rect.y, rect.width, rect.height);
            return;
        }
        constexpr double quarter = std::numbers::pi / 2;
        const Rect centres = rect.inset(radius);
        cairo_new_sub_path(cairo_);
        cairo_arc(cairo_, centres.right(), centres.y, radius, -quarter, 0);
        cairo_arc(cairo_, centres.right(), centres.bottom(), radius, 0, quarter);
        cairo_arc(cairo_, centres.x, centres.bottom(), radius, quarter, 2 * quarter);
        cairo_arc(cairo_, centres.x, centres.y, radius, 2 * quarter, 3 * quarter);
        cairo_close_path(cairo_);
    }

    /// Returns the pen position with the baseline on a whole pixel in an image, which keeps horizontal strokes sharp.
    Point snapped(Point pen, Rotation rotation) const {
        if (glyphs_ == Glyphs::text) return pen;
        cairo_user_to_device(cairo_, &pen.x, &pen.y);
        double& across = rotation == Rotation::none ? pen.y : pen.x;
        across = std::round(across);
        cairo_device_to_user(cairo_, &pen.x, &pen.y);
        return pen;
    }

    void set_hinting(Rotation rotation) {
        const FontOptions options(cairo_font_options_create());
        const bool hinted = glyphs_ == Glyphs::outlines && rotation == Rotation::none;
        cairo_font_options_set_hint_style(options.get(), hinted ? CAIRO_HINT_STYLE_SLIGHT : CAIRO_HINT_STYLE_NONE);
        cairo_font_options_set_hint_metrics(options.get(), CAIRO_HINT_METRICS_OFF);
        cairo_font_options_set_antialias(options.get(), CAIRO_ANTIALIAS_GRAY);
        cairo_set_font_options(cairo_, options.get());
    }

    /// Draws runs of glyphs of one face and size, from the origin to the right, and the rules of formulas.
    void show(const std::vector<Glyph>& glyphs, double size) {
        double x = 0;
        for (auto first = glyphs.begin(); first != glyphs.end();) {
            const auto last = std::find_if(first, glyphs.end(), [&](const Glyph& glyph) {
                return glyph.face != first->face || glyph.size != first->size || glyph.is_rule() || first->is_rule();
            });
            const auto end = first->is_rule() ? first + 1 : last;
            if (first->is_rule()) {
                constexpr double half = rule_thickness / 2;
                cairo_rectangle(cairo_, x + first->space_before * size, -(first->rise + half) * size,
                                first->size * size, rule_thickness * size);
                cairo_fill(cairo_);
                x += first->advance * size;
            } else {
                x = show_run({first, end}, x, size);
            }
            first = end;
        }
    }

    /// Draws glyphs of one face and size from x; returns their end.
    double show_run(std::span<const Glyph> glyphs, double x, double size) {
        std::vector<cairo_glyph_t> run;
        std::vector<cairo_text_cluster_t> clusters;
        std::string text;
        for (const Glyph& glyph : glyphs) {
            run.push_back({glyph.index, x + glyph.space_before * size, -glyph.rise * size});
            const std::string character = utf8_of(glyph.character);
            clusters.push_back({static_cast<int>(character.size()), 1});
            text += character;
            x += glyph.advance * size;
        }
        cairo_set_font_face(cairo_, font_face(glyphs.front().face));
        cairo_set_font_size(cairo_, glyphs.front().size * size);
        const int count = static_cast<int>(run.size());
        if (glyphs_ == Glyphs::text) {
            cairo_show_text_glyphs(cairo_, text.data(), static_cast<int>(text.size()), run.data(), count,
                                   clusters.data(), count, {});
        } else {
            cairo_glyph_path(cairo_, run.data(), count);
            cairo_fill(cairo_);
        }
        return x;
    }

    cairo_t* cairo_;
    Glyphs glyphs_;
    int open_clips_ = 0;
};

/// Draws on a surface. `scale` is the number of surface units per px.
void draw_on(cairo_surface_t* surface, double scale, Glyphs glyphs, const ExportOptions& options, const Draw& draw) {
    check(cairo_surface_status(surface));
    const Context context(cairo_create(surface));
    cairo_scale(context.get(), scale / options.density, scale / options.density);
    CairoCanvas canvas(context.get(), glyphs);
    canvas.set_serif(options.serif);
    canvas.set_line_scale(options.line_scale);
    if (options.background.a != 0) canvas.paint(options.background);
    draw(canvas);
    canvas.finish();
}

/// What Cairo writes. A PDF surface forgets that its file could not be written, so that this remembers it.
struct Output {
    std::string bytes;
    cairo_status_t status = CAIRO_STATUS_SUCCESS;
};

/// Appends to an Output. Catches exceptions, because none may cross Cairo.
cairo_status_t append(void* output, const unsigned char* data, unsigned length) {
    auto& [bytes, status] = *static_cast<Output*>(output);
    try {
        bytes.append(reinterpret_cast<const char*>(data), length);
    } catch (const std::bad_alloc&) {
        status = CAIRO_STATUS_NO_MEMORY;
    }
    return status;
}

}  // namespace

std::string draw_pdf(const ExportOptions& options, const Draw& draw) {
    constexpr double points_per_pixel = 72.0 / 96;
    constexpr const char* always_the_same_day = "2000-01-01T00:00:00Z";
    Output output;
    const Surface surface(cairo_pdf_surface_create_for_stream(append, &output, options.width * points_per_pixel,
                                                              options.height * points_per_pixel));
    const auto describe = [&](cairo_pdf_metadata_t what, const char* text) {
        if (*text) cairo_pdf_surface_set_metadata(surface.get(), what, text);
    };
    describe(CAIRO_PDF_METADATA_TITLE, options.title.c_str());
    describe(CAIRO_PDF_METADATA_KEYWORDS, options.scene.c_str());
    describe(CAIRO_PDF_METADATA_CREATOR, "Ropewalk");
    describe(CAIRO_PDF_METADATA_CREATE_DATE, always_the_same_day);
    describe(CAIRO_PDF_METADATA_MOD_DATE, always_the_same_day);
    draw_on(surface.get(), points_per_pixel, Glyphs::text, options, draw);
    cairo_surface_finish(surface.get());
    check(cairo_surface_status(surface.get()));
    check(output.status);
    return std::move(output.bytes);
}

void require_image_size(double logical_width, double logical_height, double scale) {
    const double width = std::ceil(logical_width * scale), height = std::ceil(logical_height * scale);
    if (!(width >= 1 && height >= 1 && width <= largest_side && height <= largest_side))
        throw LimitError("An image must be between 1 and 32 767 pixels wide and high; choose another size or scale.");
    if (width * height > most_pixels)
        throw LimitError("An image can have at most 67 million pixels (8192 × 8192); choose a smaller size or scale.");
}

Image draw_image(const ExportOptions& options, const Draw& draw) {
    require_image_size(options.width, options.height, options.scale);
    Image image{static_cast<int>(std::ceil(options.width * options.scale)),
                static_cast<int>(std::ceil(options.height * options.scale)),
                {}};
    const Surface surface(cairo_image_surface_create(CAIRO_FORMAT_ARGB32, image.width, image.height));
    draw_on(surface.get(), options.scale, Glyphs::outlines, options, draw);
    cairo_surface_flush(surface.get());
    image.pixels.reserve(static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.height));
    for (int row = 0; row < image.height; ++row) {
        const auto* pixels = row_of<std::uint32_t>(surface.get(), row);
        std::transform(pixels, pixels + image.width, std::back_inserter(image.pixels), straight);
    }
    return image;
}

std::string draw_png(const ExportOptions& options, const Draw& draw) {
    return png_bytes(draw_image(options, draw), options.scene, options.scale);
}

}  // namespace ropewalk
