#include "app/figures/placed_figures.h"

#include <cmath>

namespace ropewalk {
namespace {

constexpr double page_gap = 18;  // px

/// `share` of the rectangle and the rest, with a gap between them.
std::pair<Rect, Rect> left_and_right(const Rect& rect, double share) {
    const double width = (rect.width - page_gap) * share, right = rect.x + width + page_gap;
    return {{rect.x, rect.y, width, rect.height}, {right, rect.y, rect.right() - right, rect.height}};
}
std::pair<Rect, Rect> above_and_below(const Rect& rect, double share) {
    const double height = (rect.height - page_gap) * share, below = rect.y + height + page_gap;
    return {{rect.x, rect.y, rect.width, height}, {rect.x, below, rect.width, rect.bottom() - below}};
}

}  // namespace

std::vector<Rect> divided(const Rect& rect, int count, double gap) {
    const bool across = rect.width > 1.4 * rect.height;  // figures are a little wider than high
    const double size = ((across ? rect.width : rect.height) - gap * (count - 1)) / count;
    std::vector<Rect> parts;
    for (int i = 0; i < count; ++i) {
        const double from = std::round(i * (size + gap)), length = std::max(1.0, std::floor(size));
        parts.push_back(across ? Rect{rect.x + from, rect.y, length, rect.height}
                               : Rect{rect.x, rect.y + from, rect.width, length});
    }
    return parts;
}

std::vector<PlacedFigure> placed_figures(const View& view, double width, double height) {
    if (const auto maximised = view.maximised()) return {{view.figures[static_cast<std::size_t>(*maximised)]}};
    const Layout& layout = view.layout;
    const auto [left, right] = left_and_right({0, 0, width, height}, layout.main);
    const auto [middle, bottom] = above_and_below(left, layout.upper);
    const auto [upper_right, lower_right] = above_and_below(right, layout.right_split);
    const auto [bottom_left, bottom_right] = left_and_right(bottom, layout.bottom_split);
    const Rect places[panel_count] = {middle, upper_right, lower_right, bottom_left, bottom_right};
    std::vector<PlacedFigure> placed;
    for (int place = 0; place < panel_count; ++place) {
        const std::vector<int> sharing = view.panels_in(place);
        const std::vector<Rect> parts = divided(places[place], static_cast<int>(sharing.size()), page_gap);
        for (std::size_t i = 0; i < sharing.size(); ++i) {
            const Rect& part = parts[i];
            placed.push_back({view.figures[static_cast<std::size_t>(sharing[i])],
                              {part.x / width, part.y / height, part.width / width, part.height / height}});
        }
    }
    return placed;
}

}  // namespace ropewalk
