// The export options of a page.
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

enum class ExportFormat { svg, pdf, png, csv, npy, json, py };
template <>
struct EnumText<ExportFormat> {
    static constexpr std::array<EnumName, 7> names{{{"svg", "SVG"},
                                                    {"pdf", "PDF"},
                                                    {"png", "PNG"},
                                                    {"csv", "CSV"},
                                                    {"npy", "NPY"},
                                                    {"json", "JSON"},
                                                    {"py", "Python"}}};
};
/// Returns whether the format contains numbers rather than a picture.
constexpr bool is_of_numbers(ExportFormat format) {
    return format == ExportFormat::csv || format == ExportFormat::npy || format == ExportFormat::json ||
           format == ExportFormat::py;
}

/// The parts of a page besides its figures.
struct PageParts {
    bool title = true, caption = true, color_bar = true;
    bool transparent = false;  // no background

    bool operator==(const PageParts&) const = default;

    static void fields(auto& s, auto&& f) {
        f(Field{.name = "title", .label = "Title", .help = "Write the figure's name above it."}, s.title);
        f(Field{.name = "caption", .label = "Caption", .help = "Write the parameters below the title."}, s.caption);
        f(Field{.name = "color_bar", .label = "Colour bar", .help = "Draw the colour scale beside a matrix."},
          s.color_bar);
        f(Field{.name = "transparent", .label = "Transparent", .help = "Leave the background transparent."},
          s.transparent);
    }
};

enum class PageLook { screen, paper };
template <>
struct EnumText<PageLook> {
    static constexpr std::array<EnumName, 2> names{{{"screen", "Screen"}, {"paper", "Paper"}}};
};
enum class PageFont { serif, sans };
template <>
struct EnumText<PageFont> {
    static constexpr std::array<EnumName, 2> names{{{"serif", "Serif"}, {"sans", "Sans"}}};
};
enum class CaptionFile { none, text, latex };
template <>
struct EnumText<CaptionFile> {
    static constexpr std::array<EnumName, 3> names{{{"none", "None"}, {"text", "Text"}, {"latex", "LaTeX"}}};
};

/// How a page looks, and whether its caption is a file of its own.
struct PaperStyle {
    static constexpr double smallest_font = 5, largest_font = 14;  // points

    PageLook look = PageLook::screen;
    PageFont font = PageFont::serif;
    double font_size = 8;
    CaptionFile caption_file = CaptionFile::none;

    bool is_paper() const { return look == PageLook::paper; }
    bool operator==(const PaperStyle&) const = default;

    static void fields(auto& s, auto&& f) {
        f(Field{.name = "look",
                .label = "Style",
                .help = "Screen: as in the window. Paper: for a journal, black text and axes, no title or caption."},
          s.look);
        f(Field{.name = "font", .label = "Font", .help = "Typeface of all text on paper. Formulas are always serif."},
          s.font);
        f(Field{.name = "font_size",
                .label = "Font size",
                .unit = "pt",
                .min = smallest_font,
                .max = largest_font,
                .slider_max = 12,
                .help = "Size of all text on paper. Journals use 7 to 9 pt."},
          s.font_size);
        f(Field{.name = "caption_file",
                .label = "Caption file",
                .help = "Write the caption beside the figure, as NAME.caption.txt or NAME.caption.tex."},
          s.caption_file);
    }
};

/// The size of a page in mm. Without a height, the page is as high as its content needs.
struct PageSize {
    double width = 0;
    std::optional<double> height{};
};

/// The width and height of a page in mm.
struct PageExtent {
    static constexpr std::array<double, 2> columns{85, 170};  // column widths of journals
    static constexpr double min_height = 30, max_length = 400;

    double width = 170, height = 130;

    bool operator==(const PageExtent&) const = default;

    static void fields(auto& s, auto&& f) {
        f(Field{.name = "width",
                .label = "Width",
                .unit = "mm",
                .min = 40,
                .max = max_length,
                .slider_max = 250,
                .marks = columns,
                .help = "Journal columns are 85 or 170 mm wide."},
          s.width);
        f(Field{.name = "height",
                .label = "Height",
                .unit = "mm",
                .min = min_height,
                .max = max_length,
                .slider_max = 250,
                .help = "Of the whole page, including title and caption. With one figure, it follows the width until "
                        "you set it."},
          s.height);
    }
};

struct PageStyle {
    static constexpr double px_per_mm = 96 / 25.4;
    static constexpr double min_figure_width = 60, min_figure_height = 45;  // mm, for one of several on a page
    static constexpr double height_step_mm = 5;                             // of computed heights
    static constexpr double usual_proportion = 0.765;                       // height / width of a figure
    static constexpr double dense = 1.25;                                   // logical pixels per px of small text

    /// Returns the default height of a figure of this width; mm.
    static double usual_height(double width) {
        return height_step_mm * std::round(width * usual_proportion / height_step_mm);
    }

    static constexpr ExportFormat usual_format(PageLook look) {
        return look == PageLook::paper ? ExportFormat::pdf : ExportFormat::svg;
    }
    /// Returns the default size of a page with one figure: on paper, a journal's column.
    static PageExtent usual_extent(PageLook look) {
        const double width = look == PageLook::paper ? PageExtent::columns.front() : PageExtent::columns.back();
        return {width, usual_height(width)};
    }
    /// Gives format and size the defaults of the look, unless they differ from those of the look before.
    void follow_look(PageLook before) {
        if (format == usual_format(before)) format = usual_format(paper.look);
        if (figure == usual_extent(before)) figure = usual_extent(paper.look);
    }

    ExportFormat format = ExportFormat::svg;
    PageExtent figure;                // page with one figure
    PageExtent sheet{.height = 235};  // page with several
    double scale = 3;
    ThemeChoice theme = ThemeChoice::light;
    PaperStyle paper;
    PageParts parts;
    bool cursor = false;

    PageExtent& extent(std::size_t figures) { return figures > 1 ? sheet : figure; }
    const PageExtent& extent(std::size_t figures) const { return figures > 1 ? sheet : figure; }

    /// Returns logical pixels per px for a page `width` mm wide. In narrow columns, and with several figures on a page,
    /// text is 7 points high instead of 9, as in journals, and lines are thinner by the same factor.
    static double density_of(double width, std::size_t figures) {
        return figures > 1 ? dense : std::clamp(106 / width, 1.0, dense);
    }

    bool operator==(const PageStyle&) const = default;

    static void fields(auto& s, auto&& f) {
        f(Field{.name = "format",
                .label = "Format",
                .help = "SVG and PDF: vector graphics with text. PNG: pixels. CSV, NPY, JSON: the data shown. "
                        "Python: a script that plots the data."},
          s.format);
        PaperStyle::fields(s.paper, f);
        f(Field{.name = "figure", .label = "Page of a figure", .help = "Size of a page with one figure."}, s.figure);
        f(Field{.name = "sheet", .label = "Page of several figures", .help = "Size of a page with several figures."},
          s.sheet);
        f(Field{.name = "scale",
                .label = "Pixels",
                .unit = "×",
                .min = 1,
                .max = 8,
                .slider_max = 4,
                .help = "Resolution of a PNG, as a multiple of 96 pixels per inch."},
          s.scale);
        f(Field{.name = "theme", .label = "Theme", .help = "Dark or light, independent of the window's theme."},
          s.theme);
        f(Field{.name = "cursor", .label = "Cursor", .help = "Draw the lines of the shared cursor."}, s.cursor);
        PageParts::fields(s.parts, f);
    }
};

}  // namespace ropewalk
