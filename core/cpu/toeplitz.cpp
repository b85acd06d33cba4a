#include "core/cpu/toeplitz.h"

#include <tbb/blocked_range2d.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/cpu/series.h"
#include "core/cpu/sum_by_distance.h"
#include "core/cpu/vector_math.h"
#include "core/cpu/view.h"

namespace ropewalk::cpu {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Logits at distances first … first + values.size() − 1, in tokens.
struct LogitSeries {
    std::int64_t first = 0;
    Buffer values;

    std::int64_t last() const { return first + static_cast<std::int64_t>(values.size()) - 1; }
    double at(std::int64_t distance) const { return values[static_cast<std::size_t>(distance - first)]; }
    std::span<const double> range(std::int64_t from, std::int64_t to) const {
        return std::span<const double>(values).subspan(static_cast<std::size_t>(from - first), static_cast<std::size_t>(to - from + 1));
    }
};

/// All logits that rows of the viewport see.
LogitSeries logits_by_distance(const Problem& problem, Interval rows, const Cancel& cancel) {
    const Lowered& lowered = problem.lowered;
    const std::span<const double> q = problem.inputs.q.constant_row(), k = problem.inputs.k.constant_row();
    const double factor = lowered.attention_scaling * lowered.attention_scaling * problem.scale / problem.temperature;
    std::vector<DistanceTerm> terms;
    for (int pair = 0; pair < lowered.pairs(); ++pair) {
        const double a = factor * (q[2 * pair] * k[2 * pair] + q[2 * pair + 1] * k[2 * pair + 1]);
        const double b = factor * (q[2 * pair] * k[2 * pair + 1] - q[2 * pair + 1] * k[2 * pair]);
        // Offsets of the position maps turn every distance by the same angle.
        const long double w = lowered.inv_freq[pair];
        const double turn = angle_of(rotation_phase(lowered.near.query, w, 0) - rotation_phase(lowered.near.key, w, 0));
        terms.push_back({.cosine = a * std::cos(turn) + b * std::sin(turn),
                         .sine = b * std::cos(turn) - a * std::sin(turn),
                         .per_step = phase_at(problem.positions.stride, phase_of(w))});
    }
    const bool causal = problem.mask == Mask::causal;
    const std::int64_t first = causal ? 0 : rows.begin - (std::int64_t{problem.seq_len} - 1);
    LogitSeries logits{.first = first, .values = Buffer(static_cast<std::size_t>(rows.end - first))};
    sum_by_distance(terms, first, logits.values, cancel);
    if (const double slope = lowered.bias_slope * problem.positions.stride / problem.temperature; slope != 0)
        for (std::int64_t r = first; r <= logits.last(); ++r) logits.values[static_cast<std::size_t>(r - first)] -= slope * static_cast<double>(r);
    return logits;
}

/// Greatest logit and log-sum-exp of every listed row, over all its keys: those at or before the query, and those after it.
void fill_row_statistics(const Problem& problem, const LogitSeries& logits, AttentionView& view, const Cancel& cancel) {
    const Interval rows = view.viewport.rows;
    const PrefixLogSums past = prefix_log_sums(logits.range(0, logits.last()), static_cast<std::size_t>(rows.begin), cancel);
    PrefixLogSums future;
    if (const std::int64_t reach = -logits.first; reach > 0) {
        std::vector<double> reversed(static_cast<std::size_t>(reach));
        for (std::int64_t r = 1; r <= reach; ++r) reversed[static_cast<std::size_t>(r - 1)] = logits.at(-r);
        const int fewest = problem.seq_len - rows.end;  // keys after the last row
        future = prefix_log_sums(reversed, static_cast<std::size_t>(std::max(fewest - 1, 0)), cancel);
    }
    tbb::parallel_for(std::size_t{0}, view.row_index.size(), [&](std::size_t i) {
        const int row = view.row_index[i], after = problem.mask == Mask::causal ? 0 : problem.seq_len - 1 - row;
        const std::size_t at = static_cast<std::size_t>(row - rows.begin);
        view.row_greatest_logit[i] = past.greatest[at];
        view.row_log_sum[i] = past.log_sum[at];
        if (after == 0) return;
        const std::size_t later = static_cast<std::size_t>(after - 1) - future.kept_begin;
        view.row_greatest_logit[i] = std::max(past.greatest[at], future.greatest[later]);
        const double greater = std::max(past.log_sum[at], future.log_sum[later]);
        const double smaller = std::min(past.log_sum[at], future.log_sum[later]);
        view.row_log_sum[i] = greater + std::log1p(std::exp(smaller - greater));
    });
}

/// One entry a cell: each row of the view is a stretch of the logits, backwards.
void fill_entries(const Problem& problem, const LogitSeries& logits, AttentionView& view, const Cancel& cancel) {
    const Interval rows = view.viewport.rows, columns = view.viewport.columns;
    tbb::parallel_for(tbb::blocked_range<int>(rows.begin, rows.end, 16), [&](const tbb::blocked_range<int>& block) {
        cancel.check();
        for (int row = block.begin(); row < block.end(); ++row) {
            const std::size_t index = static_cast<std::size_t>(row - rows.begin), begin = index * columns.size();
            const int visible = std::clamp(problem.visible_keys(row), columns.begin, columns.end);
            double* const logit = view.logits.mean.data() + begin;
            for (int key = columns.begin; key < visible; ++key) logit[key - columns.begin] = logits.at(std::int64_t{row} - key);
            std::fill(logit + (visible - columns.begin), logit + columns.size(), -infinity);
            exp_minus({logit, static_cast<std::size_t>(columns.size())}, view.row_log_sum[index], view.weights.mean.data() + begin);
        }
    });
}

/// Calls visit(row cell, column cell) for every cell in tiles that share what they read.
template <class Visit>
void for_each_cell(Interval row_cells, int column_cells, const Cancel& cancel, Visit visit) {
    const tbb::blocked_range2d<int> cells(row_cells.begin, row_cells.end, 8, 0, column_cells, 16);
    tbb::parallel_for(cells, [&](const tbb::blocked_range2d<int>& tile) {
        cancel.check();
        for (int down = tile.rows().begin(); down < tile.rows().end(); ++down)
            for (int across = tile.cols().begin(); across < tile.cols().end(); ++across) visit(down, across);
    });
}

void pool_logits(const Problem& problem, const LogitSeries& logits, const CellGeometry& cells, AttentionView& view, const Cancel& cancel) {
    const Viewport& viewport = view.viewport;
    const std::int64_t first = std::max(logits.first, std::int64_t{viewport.rows.begin} - viewport.columns.end + 1);
    const std::int64_t last = std::int64_t{viewport.rows.end} - 1 - viewport.columns.begin;
    std::fill(view.logits.mean.begin(), view.logits.mean.end(), -infinity);
    std::fill(view.logits.least.begin(), view.logits.least.end(), -infinity);
    std::fill(view.logits.greatest.begin(), view.logits.greatest.end(), -infinity);
    if (last < first) return;
    const std::span<const double> values = logits.range(first, last);
    const RectangleSums sums(values, first, cancel);
    // The distances in a cell are a range, never shorter than this unless the mask cuts it off at the beginning of the series.
    const int shortest = cells.fewest_rows + cells.narrowest - 1;
    const SlidingWindows windows = sliding_windows(values, shortest, {.greatest = -infinity, .least = infinity}, cancel);
    for_each_cell({0, viewport.cells_down}, viewport.cells_across, cancel, [&](int down, int across) {
        const Interval rows = cells.rows[down], columns = cells.columns[across];
        const std::int64_t count = unmasked_entries(problem.mask, rows, columns);
        if (count == 0) return;
        const std::size_t at = static_cast<std::size_t>(down) * viewport.cells_across + across;
        const std::int64_t least_distance = std::max(first, std::int64_t{rows.begin} - columns.end + 1);
        const std::int64_t greatest_distance = std::int64_t{rows.end} - 1 - columns.begin;
        double least = infinity, greatest = -infinity;
        for (std::int64_t end = least_distance + shortest - 1;; end += shortest) {
            const std::size_t window = static_cast<std::size_t>(std::min(end, greatest_distance) - first);
            least = std::min(least, windows.least[window]);
            greatest = std::max(greatest, windows.greatest[window]);
            if (end >= greatest_distance) break;
        }
        view.logits.mean[at] = std::clamp(sums.sum(rows, columns) / static_cast<double>(count), least, greatest);
        view.logits.least[at] = least;
        view.logits.greatest[at] = greatest;
    });
}

/// Consecutive listed rows whose greatest logits differ so little that one reference serves them all.
struct Band {
    Interval listed;  // range of row_index
    double reference = 0;
};

std::vector<Band> bands_of(const AttentionView& view) {
    // Relative to the middle of a band, a row's exponentials sum to exp(±600) · seq_len at most.
    constexpr double widest = 1200;
    std::vector<Band> bands;
    double least = infinity, greatest = -infinity;
    for (int i = 0; i < static_cast<int>(view.row_index.size()); ++i) {
        const double value = view.row_greatest_logit[i];
        if (bands.empty() || std::max(greatest, value) - std::min(least, value) > widest) {
            bands.push_back({.listed = {i, i}, .reference = value});
            least = greatest = value;
        }
        least = std::min(least, value);
        greatest = std::max(greatest, value);
        bands.back().listed.end = i + 1;
        bands.back().reference = least / 2 + greatest / 2;
    }
    return bands;
}

/// Adds the weights of a band's rows to the cells: `mean` collects sums, `least` and `greatest` their extremes.
void add_weights(const Problem& problem, const LogitSeries& logits, const CellGeometry& cells, const Band& band, AttentionView& view, const Cancel& cancel) {
    const Viewport& viewport = view.viewport;
    const int first_row = view.row_index[band.listed.begin], last_row = view.row_index[band.listed.end - 1];
    const std::int64_t lowest = problem.mask == Mask::causal ? 1 - cells.most_rows : logits.first;
    const std::int64_t first = std::max(lowest, std::int64_t{first_row} - viewport.columns.end + 1);
    const std::int64_t last = std::int64_t{last_row} - viewport.columns.begin;
    if (last < logits.first) return;

    // Masked distances have exponential 0, which is also what their weight counts as.
    Buffer exponentials(static_cast<std::size_t>(last - first + 1));
    const std::int64_t masked = std::max<std::int64_t>(0, logits.first - first);
    std::fill_n(exponentials.data(), masked, 0.0);
    const std::span<const double> visible = logits.range(first + masked, last);
    constexpr std::size_t piece = 8192;
    tbb::parallel_for(std::size_t{0}, (visible.size() + piece - 1) / piece, [&](std::size_t p) {
        exp_minus(visible.subspan(p * piece, std::min(piece, visible.size() - p * piece)), band.reference, exponentials.data() + masked + p * piece);
    });
    Buffer factors(static_cast<std::size_t>(band.listed.size()));
    for (int i = band.listed.begin; i < band.listed.end; ++i) factors[i - band.listed.begin] = band.reference - view.row_log_sum[i];
    exp_minus(factors, 0, factors.data());

    const SlidingWindows narrow = sliding_windows(exponentials, cells.narrowest, {}, cancel);
    const SlidingWindows wide = cells.widest == cells.narrowest ? SlidingWindows{} : sliding_windows(exponentials, cells.widest, {}, cancel);
    const auto cell_of = [&](int listed) { return static_cast<int>(std::upper_bound(cells.first_row.begin(), cells.first_row.end(), listed) - cells.first_row.begin()) - 1; };
    const Interval row_cells{cell_of(band.listed.begin), cell_of(band.listed.end - 1) + 1};
    for_each_cell(row_cells, cells.visible_cells(problem, last_row), cancel, [&](int down, int across) {
        const Interval listed{std::max(cells.first_row[down], band.listed.begin), std::min(cells.first_row[down + 1], band.listed.end)};
        const Interval columns = cells.columns[across];
        const SlidingWindows& windows = columns.size() == cells.narrowest ? narrow : wide;
        const std::int64_t distance = std::int64_t{view.row_index[listed.begin]} - columns.begin;
        const std::size_t at = static_cast<std::size_t>(down) * viewport.cells_across + across;
        if (distance + listed.size() - 1 < logits.first) return;
        const std::size_t window = static_cast<std::size_t>(distance - first);
        const PooledRows pooled = pool({.sums = windows.sum.data() + window,
                                        .greatest = windows.greatest.data() + window,
                                        .least = windows.least.data() + window,
                                        .factors = factors.data() + (listed.begin - band.listed.begin),
                                        .count = listed.size()});
        view.weights.mean[at] += pooled.sum;
        view.weights.greatest[at] = std::max(view.weights.greatest[at], pooled.greatest);
        view.weights.least[at] = std::min(view.weights.least[at], pooled.least);
    });
}

void pool_weights(const Problem& problem, const LogitSeries& logits, const CellGeometry& cells, AttentionView& view, const Cancel& cancel) {
    const int cells_across = view.viewport.cells_across;
    const Interval all_rows{0, view.viewport.cells_down};
    const auto entries = [&](int down, int across) { return std::int64_t{cells.rows[down].size()} * cells.columns[across].size(); };
    for_each_cell(all_rows, cells_across, cancel, [&](int down, int across) {
        const bool masked = unmasked_entries(problem.mask, cells.rows[down], cells.columns[across]) < entries(down, across);
        view.weights.least[static_cast<std::size_t>(down) * cells_across + across] = masked ? 0 : infinity;
    });
    for (const Band& band : bands_of(view)) add_weights(problem, logits, cells, band, view, cancel);
    for_each_cell(all_rows, cells_across, cancel, [&](int down, int across) {
        const std::size_t at = static_cast<std::size_t>(down) * cells_across + across;
        const double mean = view.weights.mean[at] / static_cast<double>(entries(down, across));
        view.weights.mean[at] = std::clamp(mean, view.weights.least[at], view.weights.greatest[at]);
    });
}

}  // namespace

AttentionView attend_by_distance(const Problem& problem, const Viewport& viewport, const Cancel& cancel) {
    AttentionView view = empty_view(problem, viewport);
    const LogitSeries logits = logits_by_distance(problem, viewport.rows, cancel);
    fill_row_statistics(problem, logits, view, cancel);
    if (viewport.is_one_to_one()) {
        fill_entries(problem, logits, view, cancel);
        return view;
    }
    const CellGeometry cells(viewport);
    pool_logits(problem, logits, cells, view, cancel);
    pool_weights(problem, logits, cells, view, cancel);
    return view;
}

}  // namespace ropewalk::cpu
