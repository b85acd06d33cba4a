// Keys drawn at random, for a first look at rows that have very many.
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

/// The share of a long row's keys that is drawn, or so (but a run of every cell): of longer rows less, since how far
/// off an estimate is follows from how many keys are drawn and not from how many there are.
double drawn_share(const Problem& problem, const Viewport& viewport);

/// Runs of keys from every cell of columns, the same in every call. A cell's sum over its keys is estimated by its sum
/// over those drawn times `keys_per_drawn`. Where the viewport is a part of the columns, cells before and after it
/// stand for the keys that it leaves out.
struct KeySample {
    std::vector<int> runs;        // first of drawn_keys keys, increasing multiples of key_group
    std::vector<int> boundaries;  // [cells + 1], first columns of the cells and the end of the last: the sequence
    int first_cell = 0;           // that is the viewport's
    std::vector<double> keys_per_drawn;  // [cells]
    std::vector<Interval> estimated;     // cells side by side that are drawn from alike
    int exact_rows = 0;                  // the first rows see so few keys that all of them are looked at

    /// Keys of the runs that begin before `end`.
    int keys_before(int end) const;
    /// The same, but for those of the last run that are `end` and beyond.
    int drawn_before(int end) const;
};
KeySample draw_keys(const Problem& problem, const CellGeometry& cells);

/// Cells of which a row sees the beginning alone: their sums of logits count for the keys that it sees, as far as any
/// of these was drawn.
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

/// Takes from the rows' visible cells, from `first_down` on, the last one where no key was drawn that its row sees.
void hide_unseen_cells(const KeySample& sample, const Problem& problem, const CellGeometry& cells, int first_down,
                       AttentionView& view);

/// How far the sums of rows over drawn keys may be off.
struct SumVariance {
    double sum = 0;  // of the rows' relative variances
    int rows = 0;

    void add(const SumVariance& other) {
        sum += other.sum;
        rows += other.rows;
    }
    double two_standard_errors() const { return rows > 0 ? 2 * std::sqrt(sum / rows) : 0; }
};

/// That of a panel's first `rows` rows, from their cells' shares of the sum. Two cells side by side are one stratum of
/// two draws: the square of their difference estimates the variance of their sum, and rather too much (collapsed
/// strata; Cochran, Sampling Techniques, 1977, section 5A.12).
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
