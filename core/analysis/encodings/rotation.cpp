#include "core/analysis/encodings/rotation.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>

namespace ropewalk {

namespace {

/// Calls f(cell's index, angle of the middle, ratio over n) for every pair and cell, from Σ exp(i·r·w) over [a, b) =
/// exp(i·(a + b − 1)·w/2) · sin(n·w/2) / sin(w/2), n = b − a.
template <class F>
void for_each_mean(const LoweredEncoding& lowered, int step, std::span<const Interval> cells, const Cancel& cancel,
                   F&& f) {
    constexpr Phase quarter_turn = Phase{1} << 62;
    for (int pair = 0; pair < lowered.pairs(); ++pair) {
        cancel.check();
        // Half a turn more does not change the ratio; near 0 the sine keeps its digits.
        Phase half_step = phase_at(step, phase_of(lowered.inv_freq[pair] / 2));
        if (half_step + quarter_turn > 2 * quarter_turn) half_step += 2 * quarter_turn;
        const double half_sine = std::sin(angle_of(half_step));
        for (std::size_t cell = 0; cell < cells.size(); ++cell) {
            const Interval r = cells[cell];
            const double middle = angle_of(phase_at(std::int64_t{r.begin} + r.end - 1, half_step));
            const double ratio = r.size() == 1 || half_sine == 0
                                     ? 1
                                     : std::sin(angle_of(phase_at(r.size(), half_step))) / (r.size() * half_sine);
            f(static_cast<std::size_t>(pair) * cells.size() + cell, middle, ratio);
        }
    }
}

std::vector<Interval> all_cells(Interval distances, int cells, DistanceScale scale) {
    std::vector<Interval> all;
    for (int cell = 0; cell < cells; ++cell) all.push_back(distances_of_cell(distances, cells, scale, cell));
    return all;
}

}  // namespace

Interval distances_of_cell(Interval distances, int cells, DistanceScale scale, int cell) {
    if (scale == DistanceScale::linear) return Viewport{.columns = distances, .cells_across = cells}.cell_columns(cell);
    const double low = std::max(1, distances.begin) - 0.5, factor = (distances.end - 0.5) / low;
    const auto nearest = [&](int edge) {
        return static_cast<int>(std::floor(low * std::pow(factor, static_cast<double>(edge) / cells) + 0.5));
    };
    const int begin = std::min(nearest(cell), distances.end - 1);
    return {begin, std::min(std::max(begin + 1, nearest(cell + 1)), distances.end)};
}

std::vector<double> rotation_heat_map(const LoweredEncoding& lowered, int step, Interval distances, int cells,
                                      const Cancel& cancel, DistanceScale scale) {
    std::vector<double> means(static_cast<std::size_t>(lowered.pairs()) * cells);
    for_each_mean(lowered, step, all_cells(distances, cells, scale), cancel,
                  [&](std::size_t at, double middle, double ratio) { means[at] = std::cos(middle) * ratio; });
    return means;
}

std::vector<double> rotation_phases(const LoweredEncoding& lowered, int step, Interval distances, int cells,
                                    const Cancel& cancel, DistanceScale scale) {
    constexpr double over_half_a_turn = 2 / std::numbers::pi;  // |mean of exp(i·x)| over an interval of length π
    std::vector<double> phases(static_cast<std::size_t>(lowered.pairs()) * cells);
    for_each_mean(
        lowered, step, all_cells(distances, cells, scale), cancel, [&](std::size_t at, double middle, double ratio) {
            const double upright = std::remainder(middle + (ratio < 0 ? std::numbers::pi : 0), 2 * std::numbers::pi);
            phases[at] = std::abs(ratio) > over_half_a_turn ? upright : nan;
        });
    return phases;
}

std::vector<double> wavelengths(const LoweredEncoding& lowered) {
    std::vector<double> tokens;
    for (const long double w : lowered.inv_freq) tokens.push_back(static_cast<double>(wavelength_of(w)));
    return tokens;
}

std::vector<double> turns(const LoweredEncoding& lowered, double positions) {
    std::vector<double> turned;
    for (const long double w : lowered.inv_freq) turned.push_back(static_cast<double>(turns_over(positions, w)));
    return turned;
}

double spanned_positions(const Problem& problem) {
    return static_cast<double>(problem.position(problem.seq_len - 1) - problem.position(0) + problem.step());
}

}  // namespace ropewalk
