// Figures as a file: evaluated at the resolution they are printed in, and drawn on their own page.
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
    PageParts parts;
    Cursor cursor;
    bool cursor_shown = false;
    std::string scene;                    // embedded
    std::optional<Experiment> reference;  // that the experiment is compared with

    bool operator==(const PageOptions&) const = default;
};

/// A page is a figure below its title and caption, or several figures with their titles, lettered, below one caption.
struct Page {
    std::vector<PlacedFigure> figures;
    Experiment experiment;
    PageOptions options;
    std::vector<PlotRanges> ranges{};  // that the figures' plots have at least; or none

    bool operator==(const Page&) const = default;
};

struct PictureOptions {
    std::string format = "png";
    double scale = 1;  // pixels per px

    bool operator==(const PictureOptions&) const = default;
};

/// The bytes of a file of one of `figure_formats`; UsageError for another. The same page gives the same bytes.
std::string make_page(const Page& page, Evaluator& evaluator, const std::string& format, const Cancel& cancel);
/// What `make_page` writes in this format, as a picture.
Image picture_of(const Page& page, const PictureOptions& picture, Evaluator& evaluator, const Cancel& cancel);
/// What the plots of its figures reach: the page's ranges and what it shows at its own resolution.
std::vector<PlotRanges> ranges_of(const Page& page, Evaluator& evaluator, const Cancel& cancel);
/// What a page leaves out for want of room, in words, and how high the least page of its width is that has room for all
/// of it, if one has.
struct OmittedParts {
    std::vector<std::string> parts{};
    std::optional<double> height{};  // px at 96 dpi, whole steps of 5 mm
};
OmittedParts omitted_of(const Page& page, Evaluator& evaluator, const Cancel& cancel);

/// What its only figure shows, a matrix by its entries as far as that is affordable. InputError if it gives no numbers
/// or is not alone.
DataTable numbers_of(const Page& page, Evaluator& evaluator, const Cancel& cancel);

}  // namespace ropewalk
