// Elementwise functions and reductions of doubles. The instruction set is chosen at run time.
#pragma once

#include <cstdint>
#include <span>

#include "core/numbers/numbers.h"

namespace ropewalk {

/// Computes out[i] = exp(values[i] − shift) within 2 ulp; differences above 700 give exp(700), so that nothing
/// overflows. −∞ gives 0. `out` may be `values`.
void exp_minus(std::span<const double> values, double shift, double* out);

struct Extremes {
    double min = infinity, max = -infinity;
};
/// The map factor · value − slope · place − offset, where `first` is the place of the first value. With a cap c, the
/// difference x before the offset becomes c · tanh(x / c).
struct Line {
    double factor = 1, slope = 0;
    std::int64_t first = 0;
    double offset = 0;
    double cap = 0;  // 0: none
};
/// Computes out[i] = (line.factor · values[i] − line.slope · (line.first + i)) − line.offset, with the cap, if any.
/// Returns their extremes.
Extremes add_line(std::span<const double> values, const Line& line, double* out);

/// Computes sums[i] = offset + log(sums[i] + carry), within 4 ulp of the logarithm. Sums are positive.
void log_plus(std::span<double> sums, double carry, double offset);

double sum_of(std::span<const double> values);
/// Returns the largest value; −∞ if there is none.
double max_of(std::span<const double> values);
/// Returns the smallest value; ∞ if there is none.
double min_of(std::span<const double> values);

/// The contribution of a range of rows to a cell, from sums and extremes over windows of columns.
struct PooledRows {
    double sum = 0, max = 0, min = infinity;
};
/// Parallel arrays of `count` ≥ 1 rows; null if not needed. Extremes and factors are not negative.
struct WeightedRows {
    const double *sums = nullptr, *max = nullptr, *min = nullptr, *factors = nullptr;
    int count = 0;
};
/// Returns Σ sums[i] · factors[i], and the largest and smallest products of extremes and factors.
PooledRows pool(const WeightedRows& rows);

}  // namespace ropewalk
