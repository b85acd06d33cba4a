// The difference of a matrix from the reference, in a few words.
#pragma once

#include <optional>

#include "app/figures/figure.h"

namespace ropewalk {

/// Returns the badge of a map of differences, [rows, columns]: the largest and the mean absolute difference of the
/// visible cells, the latter also in per cent of the reference's mean absolute value. `own` are the matrix's own
/// values. `pooled` names the pooling, empty if cells are entries. `divergence` is text about the rows' divergence,
/// appended.
Badge difference_badge(const HeatMap& difference, std::span<const double> own, const std::string& pooled,
                       const std::string& divergence);

/// Returns the badge for a difference that cannot be shown because there is no reference, or one of another length;
/// nullopt otherwise.
std::optional<Badge> missing_difference_badge(const FigureInput& input);

/// Returns the map with its values − `others`, in diverging colours centred on 0.
HeatMap difference_map(HeatMap map, const SharedNumbers& others, const FigureInput& input);

/// Returns "   (Δ −3 from 5)" for 2 and the reference's 5.
std::string difference_text(double value, double of_reference);

}  // namespace ropewalk
