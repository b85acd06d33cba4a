// Random samples of keys, for previews of rows with very many keys.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/attention/attention.h"
#include "core/cpu/kernels/row_scan.h"
#include "core/cpu/view.h"

namespace ropewalk::cpu {

inline bool draws_keys(const Problem& problem, const Viewport& viewport) {
    return viewport.key_sampling == KeySampling::some && can_draw_keys(problem, viewport);
}

/// Returns the approximate share of a long row's keys that is sampled (at least one run per cell). It is smaller for
/// longer rows, because the error of an estimate depends on the number of sampled keys, not on their share.
double drawn_share(const Problem& problem, const Viewport& viewport);

/// Runs of keys from every cell of columns, the same in every call. A cell's sum over its keys is estimated by the sum
/// over the sampled ones times `keys_per_drawn`. If the viewport is a part of the columns, additional cells before and
/// after it represent the other keys.
struct KeySample {
    std::vector<int> runs;        // first of drawn_keys keys, increasing multiples of key_group
    std::vector<int> boundaries;  // [cells + 1], first columns of the cells and the end of the last: the whole sequence
    int first_cell = 0;           // first cell of the viewport
    std::vector<double> keys_per_drawn;  // [cells]
    std::vector<Interval> estimated;     // ranges of cells with equal sampling
    int exact_rows = 0;                  // leading rows, which see so few keys that all of them are used

    /// Returns the number of keys of the runs that begin before `end`.
    int keys_before(int end) const;
    /// Returns the number of sampled keys before `end`.
    int drawn_before(int end) const;
};
KeySample draw_keys(const Problem& problem, const CellGeometry& cells);

/// Scales the sums of logits of cells of which a row sees only the beginning to the keys that it sees, if any of these
/// was sampled.
template <class T>
void weigh_begun_cells(const KeySample& sample, const ScanSettings<T>& settings, const QueryPanel<T>& panel) {
    if (!settings.keeps(logit_sum) || settings.mask == Mask::none) return;
    const int width = panel_rows<T>();
    for (int lane = 0; lane < width; ++lane) {
        const int visible = static_cast<int>(panel.rows[lane]) + 1;
        const auto end = std::upper_bound(sample.boundaries.begin(), sample.boundaries.end(), visible);
        if (end == sample.boundaries.end()) continue;
        const auto cell = end - sample.boundaries.begin() - 1;
        const int before = sample.drawn_before(*(end - 1)), seen = sample.drawn_before(visible) - before;
        if (seen == 0) continue;
        const double seen_sum = 1 / sample.keys_per_drawn[static_cast<std::size_t>(cell)],
                     keys_per_seen = static_cast<double>(visible - *(end - 1)) / seen;
        T& sum = panel.statistics[settings.place(static_cast<int>(cell), logit_sum, width) + lane];
        sum = static_cast<T>(static_cast<double>(sum) * seen_sum * keys_per_seen);
    }
}

/// Hides the last visible cell of a row of cells, from `first_down` on, if its row sees no sampled key in it.
void hide_unseen_cells(const KeySample& sample, const Problem& problem, const CellGeometry& cells, int first_down,
                       AttentionView& view);

/// The error of the rows' sums over sampled keys.
struct SumVariance {
    double sum = 0;  // of the rows' relative variances
    int rows = 0;

    void add(const SumVariance& other) {
        sum += other.sum;
        rows += other.rows;
    }
    double two_standard_errors() const { return rows > 0 ? 2 * std::sqrt(sum / rows) : 0; }
};

/// Returns the variance of a panel's first `rows` rows, from their cells' shares of the sum. Two neighbouring cells are
/// treated as one stratum with two draws: the square of their difference estimates the variance of their sum, and
/// rather overestimates it (collapsed strata; Cochran, Sampling Techniques, 1977, section 5A.12).
template <class T>
SumVariance sum_variance(const KeySample& sample, const ScanSettings<T>& settings, const QueryPanel<T>& panel,
                         int rows) {
    const int width = panel_rows<T>();
    SumVariance variance{.rows = rows};
    for (const Interval& alike : sample.estimated) {
        const int first = alike.begin, end = std::min(alike.end, panel.seen_cells);
        for (int cell = end - 1; cell >= first && end - first > 1; cell -= 2) {
            const T* const shares = panel.statistics + settings.place(cell, exp_sum, width);
            const T* const neighbours =
                panel.statistics + settings.place(cell > first ? cell - 1 : first + 1, exp_sum, width);
            for (int row = 0; row < rows; ++row) {
                const double difference = static_cast<double>(shares[row]) - static_cast<double>(neighbours[row]);
                variance.sum += difference * difference;
            }
        }
    }
    return variance;
}

}  // namespace ropewalk::cpu
