// Where the figures of a view stand when all of them are shown at once.
#pragma once

#include <optional>
#include <vector>

#include "app/figures/page/view.h"

namespace ropewalk {

/// A figure and the part of the page that it stands in, as a share of what there is inside the margins.
struct PlacedFigure {
    Figure figure;
    Rect part{0, 0, 1, 1};
    std::optional<int> panel{};  // of the view, if it is of one

    bool operator==(const PlacedFigure&) const = default;
};

/// How the panels of one place divide it.
struct Division {
    int count = 1;
    double share_of_first = Layout::usual_share;  // where there are two
    double proportion = 1.4;                      // of their width to their height, that suits what they show
};
Division division_of(const Arrangement& arrangement, int place);

/// The rectangles of a division with gaps between them, in rows and columns that leave each as large as may be; those
/// of a last row that is not full are wider.
std::vector<Rect> divided(const Rect& rect, const Division& division, double gap);

/// All figures of the view as the window shares its room among them, on a page of this size in logical pixels; in rows
/// where some would be too narrow to be read. The maximised one alone where one is.
std::vector<PlacedFigure> placed_figures(const View& view, double width, double height);

}  // namespace ropewalk
