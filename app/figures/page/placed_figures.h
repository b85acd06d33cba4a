// The places of a view's figures on a page that shows all of them.
#pragma once

#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "app/figures/page/view.h"

namespace ropewalk {

/// A figure and its part of the page, as fractions of the area inside the margins.
struct PlacedFigure {
    Figure figure;
    Rect part{0, 0, 1, 1};
    std::optional<int> panel{};  // the view's panel, if it comes from one

    bool operator==(const PlacedFigure&) const = default;
};

/// How the panels of one place divide it.
struct Division {
    int count = 1;
    double share_of_first = Layout::usual_share;  // if there are two
    double proportion = 1.4;                      // preferred ratio of their width to their height
};
Division division_of(const Arrangement& arrangement, int place);

/// The two sides of a border.
using Sides = std::pair<Rect, Rect>;
/// Returns the rectangles of `count` places (1 to `most_places`). `split` divides a rectangle at a border: the main
/// figure and what is below it from the right column, then the main figure from those below it, and each two of these.
std::vector<Rect> places_in(int count, const Rect& area, const std::function<Sides(Border, const Rect&)>& split);

/// Divides a rectangle, with gaps, into the rows and columns that make each part as large as possible. The parts of an
/// incomplete last row are wider.
std::vector<Rect> divided(const Rect& rect, const Division& division, double gap);

/// Places all figures of the view as in the window, on a page of this size in logical pixels. They are placed in rows
/// if some would be too narrow to read. If a panel is maximised, only its figure is placed.
std::vector<PlacedFigure> placed_figures(const View& view, double width, double height);

}  // namespace ropewalk
