// Elementwise functions and reductions of doubles, with the instruction set chosen at run time.
#pragma once

#include <cstdint>
#include <span>

#include "core/numbers/numbers.h"

namespace ropewalk {

/// out[i] = exp(values[i] − shift), within 2 ulp; where the difference exceeds 700, exp(700), so that nothing
/// overflows. −∞ gives 0. `out` may be `values`.
void exp_minus(std::span<const double> values, double shift, double* out);

struct Extremes {
    double min = infinity, max = -infinity;
};
/// factor · value − slope · place − offset, by the place of the first value.
struct Line {
    double factor = 1, slope = 0;
    std::int64_t first = 0;
    double offset = 0;
};
/// out[i] = (line.factor · values[i] − line.slope · (line.first + i)) − line.offset; their extremes.
Extremes add_line(std::span<const double> values, const Line& line, double* out);

/// sums[i] = offset + log(sums[i] + carry), within 4 ulp of the logarithm. Sums are positive.
void log_plus(std::span<double> sums, double carry, double offset);

double sum_of(std::span<const double> values);
/// The greatest value; −∞ of none.
double max_of(std::span<const double> values);
/// The least value; ∞ of none.
double min_of(std::span<const double> values);

/// What a range of rows contributes to a cell, read from sums and extremes over windows of columns.
struct PooledRows {
    double sum = 0, max = 0, min = infinity;
};
/// Parallel arrays of `count` ≥ 1 rows; null where nothing is asked of them. Extremes and factors are not negative.
struct WeightedRows {
    const double *sums = nullptr, *max = nullptr, *min = nullptr, *factors = nullptr;
    int count = 0;
};
/// Σ sums[i] · factors[i], and the greatest and the least such product of the extremes.
PooledRows pool(const WeightedRows& rows);

}  // namespace ropewalk
