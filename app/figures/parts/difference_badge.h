// How far a matrix is from the one that it is compared with, in a few words.
#pragma once

#include <optional>

#include "app/figures/figure.h"

namespace ropewalk {

/// Of a map of differences from the reference, [rows, columns], and the matrix's own values: the greatest difference,
/// the mean one, and that relative to the reference's mean size, of what is visible. `pooled` says what a cell of
/// several entries shows; it is empty where cells are entries. `divergence` goes on with that of the rows.
Badge difference_badge(const HeatMap& difference, const std::vector<double>& own, const std::string& pooled,
                       const std::string& divergence);

/// Where the difference is asked for and cannot be shown: there is no reference, or it is shorter or longer.
std::optional<Badge> missing_difference_badge(const FigureInput& input);

/// The map's values − `others`, in diverging colours about 0.
HeatMap difference_map(HeatMap map, const Numbers& others, const FigureInput& input);

/// "   (Δ −3 from 5)" of 2 and the reference's 5.
std::string difference_text(double value, double of_reference);

}  // namespace ropewalk
