#include "app/figures/page/placed_figures.h"

#include <algorithm>
#include <cmath>

#include "app/figures/page/page_style.h"

namespace ropewalk {
namespace {

constexpr double page_gap = 18;  // px

/// Split a rectangle into `share` of it and the rest, with a gap between them.
Sides left_and_right(const Rect& rect, double share, double between = page_gap) {
    const double width = (rect.width - between) * share, right = rect.x + width + between;
    return {{rect.x, rect.y, width, rect.height}, {right, rect.y, rect.right() - right, rect.height}};
}
Sides above_and_below(const Rect& rect, double share, double between = page_gap) {
    const double height = (rect.height - between) * share, below = rect.y + height + between;
    return {{rect.x, rect.y, rect.width, height}, {rect.x, below, rect.width, rect.bottom() - below}};
}

/// Returns rows with as many figures as fit side by side. The first figure takes the full width if the figures do not
/// fill whole rows.
std::vector<Rect> in_rows(std::size_t count, const Rect& page, double narrowest) {
    constexpr double height_of_wide = 1.4;  // relative to the other rows
    const auto across = static_cast<std::size_t>(
        std::clamp(std::floor((page.width + page_gap) / (narrowest + page_gap)), 1.0, static_cast<double>(count)));
    const bool is_wide = across > 1 && count % across != 0;
    const std::size_t others = count - (is_wide ? 1 : 0), rows = (others + across - 1) / across;
    const double shares = static_cast<double>(rows) + (is_wide ? height_of_wide : 0),
                 gaps = page_gap * (static_cast<double>(rows) - (is_wide ? 0 : 1)),
                 height = (page.height - gaps) / shares,
                 width = (page.width - page_gap * (static_cast<double>(across) - 1)) / static_cast<double>(across);
    std::vector<Rect> places;
    double top = page.y;
    if (is_wide) {
        places.push_back({page.x, top, page.width, height_of_wide * height});
        top = places.back().bottom() + page_gap;
    }
    for (std::size_t i = 0; i < others; ++i)
        places.push_back({page.x + static_cast<double>(i % across) * (width + page_gap),
                          top + static_cast<double>(i / across) * (height + page_gap), width, height});
    return places;
}

}  // namespace

std::vector<Rect> places_in(int count, const Rect& area, const std::function<Sides(Border, const Rect&)>& split) {
    if (count == 1) return {area};
    const auto [left, right] = split(Border::right, area);
    const auto right_rows = count > 2 ? split(Border::right_rows, right) : Sides{right, {}};
    const auto rows = count > 3 ? split(Border::bottom, left) : Sides{left, {}};
    const auto below = count > 4 ? split(Border::bottom_columns, rows.second) : Sides{rows.second, {}};
    std::vector<Rect> places{rows.first, right_rows.first, right_rows.second, below.first, below.second};
    places.resize(static_cast<std::size_t>(count));
    return places;
}

Division division_of(const Arrangement& arrangement, int place) {
    const std::vector<int> sharing = arrangement.panels_in(place);
    constexpr double square = 1.1;  // including labels and the colour bar
    const bool are_square =
        std::all_of(sharing.begin(), sharing.end(), [&](int panel) { return is_square(arrangement.figure(panel)); });
    return {.count = static_cast<int>(sharing.size()),
            .share_of_first = arrangement.layout.share_in(place),
            .proportion = are_square ? square : Division{}.proportion};
}

std::vector<Rect> divided(const Rect& rect, const Division& division, double gap) {
    const int count = division.count;
    const auto part_of = [&](double length, int parts) { return (length - gap * (parts - 1)) / parts; };
    const auto rows_of = [&](int columns) { return (count + columns - 1) / columns; };
    const auto size_of = [&](int columns) {
        return std::min(part_of(rect.width, columns), division.proportion * part_of(rect.height, rows_of(columns)));
    };
    int columns = 1;
    for (int more = 2; more <= count; ++more)
        if (size_of(more) > size_of(columns)) columns = more;
    if (count == 2) {
        const double share = division.share_of_first;
        const auto [first, second] =
            columns == 2 ? left_and_right(rect, share, gap) : above_and_below(rect, share, gap);
        return {first, second};
    }
    const int rows = rows_of(columns);
    const double height = part_of(rect.height, rows);
    std::vector<Rect> parts;
    for (int row = 0; row < rows; ++row) {
        const int in_row = std::min(columns, count - row * columns);
        const double width = part_of(rect.width, in_row);
        for (int column = 0; column < in_row; ++column)
            parts.push_back({rect.x + std::round(column * (width + gap)), rect.y + std::round(row * (height + gap)),
                             std::max(1.0, std::floor(width)), std::max(1.0, std::floor(height))});
    }
    return parts;
}

std::vector<PlacedFigure> placed_figures(const View& view, double width, double height) {
    if (const auto maximised = view.maximised()) return {{.figure = view.figure(*maximised), .panel = maximised}};
    const Rect page{0, 0, width, height};
    const auto places = places_in(view.places(), page, [&](Border border, const Rect& rect) {
        const double share = Layout(view.layout).share_at(border);
        return border == Border::right || border == Border::bottom_columns ? left_and_right(rect, share)
                                                                           : above_and_below(rect, share);
    });
    std::vector<int> panels;
    std::vector<Rect> parts;
    for (int place = 0; place < view.places(); ++place) {
        const std::vector<int> sharing = view.panels_in(place);
        const auto shared = divided(places[static_cast<std::size_t>(place)], division_of(view, place), page_gap);
        panels.insert(panels.end(), sharing.begin(), sharing.end());
        parts.insert(parts.end(), shared.begin(), shared.end());
    }
    constexpr double narrowest = PageStyle::min_figure_width * PageStyle::px_per_mm * PageStyle::dense;
    if (std::any_of(parts.begin(), parts.end(), [&](const Rect& part) { return part.width < narrowest; }))
        parts = in_rows(parts.size(), page, narrowest);
    std::vector<PlacedFigure> placed;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const Rect& part = parts[i];
        placed.push_back({view.figure(panels[i]),
                          {part.x / width, part.y / height, part.width / width, part.height / height},
                          panels[i]});
    }
    return placed;
}

}  // namespace ropewalk
