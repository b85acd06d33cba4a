#include "app/figures/parts/difference_badge.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/plot/axes.h"

namespace ropewalk {

Badge difference_badge(const HeatMap& difference, const std::vector<double>& own, const std::string& pooled,
                       const std::string& divergence) {
    double max = 0, sum = 0, size = 0, count = 0;
    for (int row = 0; row < difference.rows; ++row)
        for (int column = 0; column < difference.visible_in(row); ++column) {
            const auto at = static_cast<std::size_t>(row) * difference.columns + column;
            const double signed_difference = (*difference.values)[at], apart = std::abs(signed_difference);
            if (!std::isfinite(apart)) continue;
            max = std::max(max, apart), sum += apart, size += std::abs(own[at] - signed_difference);
            ++count;
        }
    const std::string relative = size > 0 ? fmt::format(", {} % of the reference", readable(100 * sum / size, 3)) : "";
    const std::string max_of = pooled.empty() ? "max |Δ|" : "max |Δ| of cells",
                      cells = pooled.empty() ? "" : ", cells: " + pooled;
    return {
        fmt::format("{} {}, mean {}{}{}{}", max_of, readable(max, 3), readable(count > 0 ? sum / count : 0, 3),
                    relative, divergence, cells),
        "Against the reference",
        std::string(
            "Of the cells shown: the greatest difference, the mean one, and that in per cent of the reference's mean "
            "size. Hold Shift to see the reference itself.") +
            (pooled.empty() ? "" : " Of cells that cover several entries, the " + pooled + " of each head is taken.") +
            (divergence.empty() ? ""
                                : " Beside the rows the Kullback–Leibler divergence of each from the reference's, "
                                  "Σ p ln(p/p_ref) over all its keys; the greatest is marked."),
        fmt::format("{} {}{}", max_of, readable(max, 3), divergence)};
}

HeatMap difference_map(HeatMap map, const Numbers& others, const FigureInput& input) {
    constexpr double rounding = 1e-6;  // of the values: smaller differences are no colours' worth
    const auto size_of = [&](const Numbers& values) {
        const ValueRange range = input.range_of({.values = values, .visible = map.visible, .columns = map.columns});
        return std::max(std::abs(range.min), std::abs(range.max));
    };
    const double min_shown = rounding * std::max(size_of(map.values), size_of(others));
    map.values = input.memo.difference(map.values, others);
    const double max = input.reached("difference", {0, std::max(size_of(map.values), min_shown)}).max;
    map.scale = {.map = ColorMap::diverging, .min = max > 0 ? -max : -1.0, .max = max > 0 ? max : 1.0};
    return map;
}

std::string difference_text(double value, double of_reference) {
    return fmt::format("   (Δ {} from {})", readable(value - of_reference), readable(of_reference));
}

std::optional<Badge> missing_difference_badge(const FigureInput& input) {
    if (!input.reference)
        return Badge{
            "values: no reference", "No reference",
            "The difference from the reference was asked for, and there is none: R keeps the present as the reference. "
            "Until then the values themselves are shown.",
            "no reference", true};
    const int own = input.experiment().seq_len, others = input.reference->request.experiment.seq_len;
    if (input.is_reference || own == others) return std::nullopt;
    return Badge{
        fmt::format("values: the reference has {} tokens", readable(others)), "Reference of another length",
        fmt::format("The difference from the reference was asked for, and the reference has {}, this head {}: their "
                    "cells do not stand for the same entries. The values themselves are shown; R keeps the present as "
                    "the reference.",
                    readable(others, "tokens"), readable(own, "tokens")),
        fmt::format("reference: {} tokens", readable(others)), true};
}

}  // namespace ropewalk
