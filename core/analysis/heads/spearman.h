// Rank correlation.
#pragma once

#include <optional>
#include <span>
#include <vector>

namespace ropewalk {

/// Returns ranks from 1; equal values share the mean of their ranks.
std::vector<double> average_ranks(std::span<const double> values);

/// Returns Spearman's ρ: Pearson's correlation of the average ranks of x and y, which must have equal sizes. This is
/// correct with ties, unlike 1 − 6Σd²/(n³ − n). Returns nothing if it is undefined: for fewer than two values, or if
/// all x or all y are equal.
std::optional<double> spearman(std::span<const double> x, std::span<const double> y);

}  // namespace ropewalk
