#include "app/figures/page/page_too_small.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace ropewalk {
namespace {

/// Reports the smallest of several figures if it cannot be read.
std::optional<PageTooSmall> too_small_a_figure(const Page& page) {
    constexpr double readable_width = PageStyle::min_figure_width, readable_height = PageStyle::min_figure_height;
    const double across = page.options.width / PageStyle::px_per_mm, down = page.options.height / PageStyle::px_per_mm;
    double width = across, height = down;
    for (const PlacedFigure& placed : page.figures)
        width = std::min(width, placed.part.width * across), height = std::min(height, placed.part.height * down);
    if (page.figures.size() < 2 || (width >= readable_width && height >= readable_height)) return {};
    const double column = width < readable_width ? std::max(across, PageExtent::columns.front()) : across;
    return PageTooSmall{fmt::format("its smallest figure is {:.0f} × {:.0f} mm", width, height),
                        "A page large enough to read the smallest figure.",
                        PageSize{column, down * std::max(1.0, readable_height / height)}};
}

}  // namespace

std::optional<PageTooSmall> page_too_small(const Page& page, const OmittedParts& omitted) {
    std::optional<PageTooSmall> too_small = too_small_a_figure(page);
    if (!omitted.parts.empty() && !too_small) {
        const std::size_t others = omitted.parts.size() - 1;
        too_small = {fmt::format("not enough space for {}{}", omitted.parts.front(),
                                 others > 0 ? fmt::format(" and {} more", others) : std::string()),
                     fmt::format("A page with enough space for {}.", fmt::join(omitted.parts, "; "))};
    }
    if (!too_small) return {};
    const double width = page.options.width / PageStyle::px_per_mm;
    PageSize& enough = too_small->enough ? *too_small->enough : too_small->enough.emplace(PageSize{width});
    const double height = std::max(enough.height.value_or(0), omitted.height.value_or(0) / PageStyle::px_per_mm);
    constexpr double step = PageStyle::height_step_mm;
    enough.height = std::min(step * std::ceil(height / step - 1e-9), PageExtent::max_length);
    if (!(*enough.height > page.options.height / PageStyle::px_per_mm) && enough.width == width)
        too_small->enough.reset();
    return too_small;
}

}  // namespace ropewalk
