// How far a matrix is from the one that it is compared with, in a few words.
#pragma once

#include "app/figures/figure.h"

namespace ropewalk {

/// Of a map of differences from the reference, [rows, columns], and the matrix's own values: the greatest difference,
/// the mean one, and that relative to the reference's mean size, of what is visible.
Badge difference_badge(const HeatMap& difference, const std::vector<double>& own);

/// Where the difference was asked for and there is no reference.
Badge no_reference_badge();

}  // namespace ropewalk
