// Curves that coincide, and the widths with which up to three of them can be seen.
#pragma once

#include <span>
#include <vector>

#include "app/figures/parts/curves/curves.h"

namespace ropewalk {

/// How much wider a curve is drawn for each curve above it that coincides with it; logical pixels.
inline constexpr double wider_per_twin = 3;
/// Returns whether two curves over the same x cannot be distinguished over more than half of it.
bool are_alike(std::span<const double> one, std::span<const double> other);
/// Makes lines that coincide wider below and thinner above, and those above dashed if they are given by points, so that
/// up to three of them can be seen.
void widen_twins(std::vector<Series>& series, const Axis& y);

}  // namespace ropewalk
