// Rank correlation.
#pragma once

#include <optional>
#include <span>
#include <vector>

namespace ropewalk {

/// Ranks from 1; values that are equal share the mean of their ranks.
std::vector<double> average_ranks(std::span<const double> values);

/// Spearman's ρ: Pearson's correlation of the average ranks of x and y (equally many). That is right with ties too,
/// where 1 − 6Σd²/(n³ − n) is not. Nothing where it is not defined: below two values, or if all x or all y are equal.
std::optional<double> spearman(std::span<const double> x, std::span<const double> y);

}  // namespace ropewalk
