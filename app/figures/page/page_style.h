// What a page that is exported looks like, as a person chooses it.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>

#include "app/figures/figures.h"

namespace ropewalk {

enum class ThemeChoice { dark, light };
template <>
struct EnumText<ThemeChoice> {
    static constexpr std::array<EnumName, 2> names{{{"dark", "Dark"}, {"light", "Light"}}};
};

enum class ExportFormat { svg, pdf, png, csv, npy, json };
template <>
struct EnumText<ExportFormat> {
    static constexpr std::array<EnumName, 6> names{
        {{"svg", "SVG"}, {"pdf", "PDF"}, {"png", "PNG"}, {"csv", "CSV"}, {"npy", "NPY"}, {"json", "JSON"}}};
};
/// Whether it holds numbers and no picture.
constexpr bool is_of_numbers(ExportFormat format) {
    return format == ExportFormat::csv || format == ExportFormat::npy || format == ExportFormat::json;
}

/// What of a page is there besides its figures.
struct PageParts {
    bool title = true, caption = true, color_bar = true;
    bool transparent = false;  // without a ground

    bool operator==(const PageParts&) const = default;

    template <class S, class F>
    static void fields(S& s, F&& f) {
        f(Field{.name = "title", .label = "Title", .help = "The figure's name above it."}, s.title);
        f(Field{.name = "caption", .label = "Caption", .help = "The parameters of what is shown."}, s.caption);
        f(Field{.name = "color_bar", .label = "Colour bar", .help = "What the colours of a matrix mean."}, s.color_bar);
        f(Field{.name = "transparent", .label = "Transparent", .help = "No ground behind the figure."}, s.transparent);
    }
};

/// mm; without a height as high as what stands on it needs.
struct PageSize {
    double width = 0;
    std::optional<double> height{};
};

/// How large a page is; mm.
struct PageExtent {
    static constexpr std::array<double, 2> columns{85, 170};  // of journals
    static constexpr double min_height = 30, max_length = 400;

    double width = 170, height = 130;

    bool operator==(const PageExtent&) const = default;

    template <class S, class F>
    static void fields(S& s, F&& f) {
        f(Field{.name = "width",
                .label = "Width",
                .unit = "mm",
                .min = 40,
                .max = max_length,
                .slider_max = 250,
                .marks = columns,
                .help = "Columns of journals are 85 and 170 mm wide."},
          s.width);
        f(Field{.name = "height",
                .label = "Height",
                .unit = "mm",
                .min = min_height,
                .max = max_length,
                .slider_max = 250,
                .help = "Of the whole page, title and caption included. Of one figure it goes with the width until it "
                        "is set."},
          s.height);
    }
};

struct PageStyle {
    static constexpr double px_per_mm = 96 / 25.4;
    static constexpr double min_figure_width = 60, min_figure_height = 45;  // mm, of one of several on a page
    static constexpr double height_step_mm = 5;                             // of heights that are found
    static constexpr double usual_proportion = 0.765;                       // of a figure's height to its width
    static constexpr double dense = 1.25;                                   // logical pixels per px of small text

    /// Of a figure of this width, as far as it has room for all of it; mm.
    static double usual_height(double width) {
        return height_step_mm * std::round(width * usual_proportion / height_step_mm);
    }

    ExportFormat format = ExportFormat::svg;
    PageExtent figure;                // of a page with one figure
    PageExtent sheet{.height = 235};  // of one with several
    double scale = 3;
    ThemeChoice theme = ThemeChoice::light;
    PageParts parts;
    bool cursor = false;

    PageExtent& extent(std::size_t figures) { return figures > 1 ? sheet : figure; }
    const PageExtent& extent(std::size_t figures) const { return figures > 1 ? sheet : figure; }

    /// In narrow columns, and where several figures share a page, text is 7 points high instead of 9, as journals have
    /// it, and lines are as much thinner. `width` of the page in mm.
    static double density_of(double width, std::size_t figures) {
        return figures > 1 ? dense : std::clamp(106 / width, 1.0, dense);
    }

    bool operator==(const PageStyle&) const = default;

    template <class S, class F>
    static void fields(S& s, F&& f) {
        f(Field{.name = "format",
                .label = "Format",
                .help = "SVG and PDF: vectors and real text. PNG: pixels. CSV, NPY, JSON: the numbers that are shown."},
          s.format);
        f(Field{.name = "figure", .label = "Page of a figure", .help = "How large it is."}, s.figure);
        f(Field{.name = "sheet", .label = "Page of several figures", .help = "How large it is."}, s.sheet);
        f(Field{.name = "scale",
                .label = "Pixels",
                .unit = "×",
                .min = 1,
                .max = 8,
                .slider_max = 4,
                .help = "Of a PNG, for each of the 96 of an inch."},
          s.scale);
        f(Field{.name = "theme", .label = "Theme", .help = "Dark or light, whatever the window's is."}, s.theme);
        f(Field{.name = "cursor", .label = "Cursor", .help = "The lines of the shared cursor."}, s.cursor);
        PageParts::fields(s.parts, f);
    }
};

}  // namespace ropewalk
