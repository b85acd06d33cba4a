// Differential equations to full precision: Gragg's midpoint rule extrapolated to step size 0 (Bulirsch and Stoer 1966;
// Hairer, Nørsett and Wanner, Solving Ordinary Differential Equations I, II.9).
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

namespace ropewalk {

/// Returns y at `end` of dy/dt = slope(t, y) with the given y at `begin`; slope: (double, const vector&) → vector.
/// Intervals on which the last two orders differ by more than 2e-14 of y are halved, up to `most_halvings` times.
template <class Slope>
std::vector<double> solved(const Slope& slope, double begin, double end, std::vector<double> y, int most_halvings = 6) {
    constexpr double tolerance = 2e-14;  // relative to max(1, |y|)
    constexpr int orders = 7;
    const std::size_t size = y.size();
    const auto by_midpoints = [&](int steps) {
        const double step = (end - begin) / steps;
        std::vector<double> before = y, now = slope(begin, y), next(size);
        for (std::size_t i = 0; i < size; ++i) now[i] = y[i] + step * now[i];
        for (int n = 1; n <= steps; ++n) {
            const std::vector<double> rising = slope(begin + n * step, now);
            if (n == steps) {
                for (std::size_t i = 0; i < size; ++i) now[i] = (now[i] + before[i] + step * rising[i]) / 2;
            } else {
                for (std::size_t i = 0; i < size; ++i) next[i] = before[i] + 2 * step * rising[i];
                std::swap(before, now), std::swap(now, next);
            }
        }
        return now;
    };
    std::array<std::vector<double>, orders> column;  // one row of the extrapolation tableau
    double change = 0;
    for (int row = 0; row < orders; ++row) {
        std::vector<double> better = by_midpoints(2 * (row + 1));
        for (int order = 0; order < row; ++order) {
            const double ratio = static_cast<double>(row + 1) / (row - order);
            std::vector<double> coarser = std::exchange(column[order], better);
            change = 0;
            for (std::size_t i = 0; i < size; ++i) {
                const double gain = (better[i] - coarser[i]) / (ratio * ratio - 1);
                better[i] += gain;
                change = std::max(change, std::abs(gain) / std::max(1.0, std::abs(better[i])));
            }
        }
        column[row] = std::move(better);
        if (row > 2 && change <= tolerance) return column[row];
    }
    if (most_halvings == 0) return column[orders - 1];
    const double middle = begin + (end - begin) / 2;
    return solved(slope, middle, end, solved(slope, begin, middle, std::move(y), most_halvings - 1), most_halvings - 1);
}

}  // namespace ropewalk
