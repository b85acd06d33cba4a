#include "app/figures/parts/cells/difference_badge.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/plot/axes.h"

namespace ropewalk {

Badge difference_badge(const HeatMap& difference, std::span<const double> own, const std::string& pooled,
                       const std::string& divergence) {
    double max = 0, sum = 0, size = 0, count = 0;
    for (int row = 0; row < difference.rows; ++row)
        for (int column = difference.visible_in(row).begin; column < difference.visible_in(row).end; ++column) {
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
        "Difference from the reference",
        std::string("Largest and mean absolute difference of the visible cells; the percentage is of the "
                    "reference's mean absolute value. Hold Shift to see the reference itself.") +
            (pooled.empty() ? "" : " Cells of several entries compare the " + pooled + " of each head.") +
            (divergence.empty() ? ""
                                : " The bars beside the matrix show the Kullback–Leibler divergence Σ p ln(p/p_ref) of "
                                  "each row from the reference's, over all its keys; a dot marks the largest."),
        fmt::format("{} {}{}", max_of, readable(max, 3), divergence)};
}

HeatMap difference_map(HeatMap map, const SharedNumbers& others, const FigureInput& input) {
    constexpr double rounding = 1e-6;  // relative to the values: smaller differences get no colour
    const auto size_of = [&](const SharedNumbers& values) {
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
        return Badge{"no reference: showing values", "No reference",
                     "There is no reference to subtract, so the values themselves are shown. Press R to use the "
                     "current head as the reference.",
                     "no reference", true};
    const int own = input.experiment().seq_len, others = input.reference->request.experiment.seq_len;
    if (input.is_reference || own == others) return std::nullopt;
    return Badge{fmt::format("showing values: the reference has {} tokens", readable(others)),
                 "Reference of a different length",
                 fmt::format("The reference has {} and this head {}, so their cells do not match. The values "
                             "themselves are shown. Press R to use the current head as the reference.",
                             readable(others, "tokens"), readable(own, "tokens")),
                 fmt::format("reference: {} tokens", readable(others)), true};
}

}  // namespace ropewalk
