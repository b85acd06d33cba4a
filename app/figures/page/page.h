// Figures as a file: evaluated at the resolution of the output, and drawn on a page.
#pragma once

#include <string>
#include <vector>

#include "app/figures/page/page_style.h"
#include "app/figures/page/placed_figures.h"

namespace ropewalk {

struct PageOptions {
    double width = 720, height = 560;  // px at 96 dpi
    double scale = 2;                  // PNG: device pixels per px
    double density = 1;                // logical pixels of the drawing per px
    const Theme* theme = &light_theme();
    bool is_serif = false;  // set in the roman of the mathematical font
    PageParts parts;
    Cursor cursor;
    bool cursor_shown = false;
    std::string scene;                    // embedded
    std::optional<Experiment> reference;  // the experiment to compare with

    bool operator==(const PageOptions&) const = default;
};

/// Sets how a page looks, if it is for paper: its theme, font and font size, without title, caption and cursor, at 300
/// pixels per inch or more.
void set_style(PageOptions& options, const PaperStyle& style);

/// A page: one figure below its title and caption, or several figures with lettered titles below one caption.
struct Page {
    std::vector<PlacedFigure> figures;
    Experiment experiment;
    PageOptions options;
    std::vector<PlotRanges> ranges{};  // minimum ranges of the figures' plots; or empty

    bool operator==(const Page&) const = default;
};

struct PictureOptions {
    std::string format = "png";
    double scale = 1;  // pixels per px

    bool operator==(const PictureOptions&) const = default;
};

/// Returns this many cells of a heat map or, if they are more than the largest image has pixels, as many as it has, at
/// the same ratio of sides. At least one each way.
PlotPixels limited_cells(double across, double down);
/// Returns the bytes of a file in one of `figure_formats`. The same page gives the same bytes. Throws UsageError for
/// another format.
std::string make_page(const Page& page, Evaluator& evaluator, const std::string& format, const Cancel& cancel);
/// Returns the caption of the page as a file of its own: a sentence, or LaTeX's \\caption. Requires a kind of file.
std::string caption_text(const Page& page, CaptionFile kind, Evaluator& evaluator, const Cancel& cancel);
/// Returns what `make_page` would write in this format, as an image.
Image picture_of(const Page& page, const PictureOptions& picture, Evaluator& evaluator, const Cancel& cancel);
/// Returns the ranges of the figures' plots at the page's resolution, united with the page's own ranges.
std::vector<PlotRanges> ranges_of(const Page& page, Evaluator& evaluator, const Cancel& cancel);
/// The parts that do not fit on a page, in words, and the height of the smallest page of the same width on which
/// nothing is missing but what only a wider page can show; empty if no height helps. Only a wider page helps a caption
/// that is cut, because captions have at most two lines.
struct OmittedParts {
    std::vector<std::string> parts{};
    std::optional<double> height{};  // px at 96 dpi, whole steps of 5 mm
    bool cuts_caption = false;
};
OmittedParts omitted_of(const Page& page, Evaluator& evaluator, const Cancel& cancel);

/// Returns the data of the page's only figure; a matrix entry by entry if that is affordable. Throws InputError if
/// there are several figures, or if the figure has no data.
DataTable numbers_of(const Page& page, Evaluator& evaluator, const Cancel& cancel);

}  // namespace ropewalk
