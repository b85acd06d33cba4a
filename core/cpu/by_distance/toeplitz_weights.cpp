// Pooled weights of heads whose logits depend on the distance alone: weight(i, j) = exp(logit(i − j)) / denominator(i).
#include <tbb/parallel_for.h>

#include <algorithm>
#include <optional>
#include <set>
#include <vector>

#include "core/cpu/by_distance/toeplitz.h"
#include "core/numbers/numbers.h"
#include "core/series/series.h"
#include "core/series/vector_math.h"

namespace ropewalk::cpu {
namespace {

/// Consecutive listed rows with such similar max logits that one reference is enough for all. Without a mask every row
/// sees as many distances as there are tokens, and windows over all rows' distances would take twice the memory, so a
/// band of a long sequence is only a part of the rows.
struct Band {
    Interval listed;  // range of row_index
    double reference = 0;
};

std::vector<Band> bands_of(const ToeplitzTask& task, const AttentionView& view) {
    // Relative to the middle of a band, a row's exponentials sum to at most exp(±600) · seq_len.
    constexpr double widest = 1200;
    constexpr int long_sequence = 1 << 18, parts = 4;
    const bool is_cut = task.problem.mask == Mask::none && task.problem.seq_len > long_sequence;
    const int most_tokens = is_cut ? task.problem.seq_len / parts : task.problem.seq_len;
    std::vector<Band> bands;
    double min = infinity, max = -infinity;
    for (int i = 0; i < static_cast<int>(view.row_index.size()); ++i) {
        const double value = view.row_max_logit[i];
        if (bands.empty() || std::max(max, value) - std::min(min, value) > widest ||
            view.row_index[i] - view.row_index[bands.back().listed.begin] >= most_tokens) {
            bands.push_back({.listed = {i, i}, .reference = value});
            min = max = value;
        }
        min = std::min(min, value);
        max = std::max(max, value);
        bands.back().listed.end = i + 1;
        bands.back().reference = min / 2 + max / 2;
    }
    return bands;
}

/// Returns the range of rows that show weights of a band.
Interval shown_rows(const Band& band, const CellGeometry& cells, const AttentionView& view) {
    const int first = band.listed.begin, last = band.listed.end - 1;
    if (cells.has_one_sum_each) return {cells.rows[first].begin, cells.rows[last].end};
    return {view.row_index[first], view.row_index[last] + 1};
}

/// A band's weights as products of exp(logit − reference), which depends on the distance, and a factor of the row.
class BandWeights {
  public:
    /// `of_all` are windows for all bands, if available.
    BandWeights(const ToeplitzTask& task, const std::optional<DistanceWindows>& of_all, const Band& band,
                const AttentionView& view)
        : listed_(band.listed), factors_(task.workspace.take<double>(static_cast<std::size_t>(band.listed.size()))) {
        const CellGeometry& cells = task.cells;
        const Interval rows = shown_rows(band, cells, view);
        const double reference = of_all ? *task.reference : band.reference;
        for (int i = listed_.begin; i < listed_.end; ++i) factors_[i - listed_.begin] = reference - view.row_log_sum[i];
        exp_minus(factors_, 0, factors_.data());
        if (!of_all) {
            own_.emplace(exponential_windows(task, view.viewport, rows));
            for_each_piece(task.logits.range(own_->first(), own_->last()), task.cancel,
                           [&](std::size_t, const LogitSeries& part) {
                               double values[piece_size];
                               part.write(values);
                               exp_minus({values, part.scores.size()}, reference, values);
                               own_->take(part.first(), {values, part.scores.size()});
                           });
        }
        windows_ = of_all ? &*of_all : &*own_;
        if (cells.has_one_sum_each) return;
        // A cell across the diagonal also uses windows at masked distances.
        const Interval columns = view.viewport.columns;
        lowest_ = std::max(task.problem.mask == Mask::causal ? std::int64_t{1} - cells.most_rows : task.logits.first(),
                           nearest(rows, columns));
        const std::int64_t last = farthest(rows, columns);
        for (const int width : std::set{cells.narrowest, cells.widest})
            columns_.push_back(windows_->columns(width, lowest_, static_cast<std::size_t>(last - lowest_ + 1),
                                                 task.workspace, task.cancel));
    }

    /// The part of a cell inside the band: its listed rows, the distance from the first of them to the first column,
    /// and the number of columns.
    struct Part {
        Interval listed;
        std::int64_t distance = 0;
        int columns = 0;
    };

    PooledRows pooled(const Part& part) const {
        const ColumnWindows& windows = columns_[part.columns == columns_[0].width ? 0 : 1];
        const std::size_t window = static_cast<std::size_t>(part.distance - lowest_);
        const auto from = [&](const Workspace::Array<double>& values) {
            return values ? values.data() + window : nullptr;
        };
        return pool({.sums = from(windows.sum),
                     .max = from(windows.max),
                     .min = from(windows.min),
                     .factors = factors_.data() + (part.listed.begin - listed_.begin),
                     .count = part.listed.size()});
    }

    /// Computes the weights of a row of cells with one softmax sum, number `listed` in the list.
    void fill_row(const ToeplitzTask& task, int listed, AttentionView& view) const {
        const std::int64_t row = view.row_index[listed];
        const Interval rows = task.cells.rows[listed];
        const double factor = factors_[listed - listed_.begin];
        // A division would take as long as everything else.
        const std::int64_t narrowest = task.cells.narrowest;
        const double of_narrow = factor / static_cast<double>(narrowest), of_wide = factor / task.cells.widest;
        const auto fill = [&](Numbers& out, auto weight_of) {
            if (out.empty()) return;
            double* const to = out.data() + std::ptrdiff_t{listed} * view.viewport.cells_across;
            for (int across = 0; across < view.visible_cells[listed].end; ++across) {
                const Interval columns = task.cells.columns[across];
                // Rounding must not give a weight above 1.
                to[across] = std::min(weight_of(columns), 1.0);
            }
        };
        fill(view.weights.mean, [&](Interval columns) {
            return windows_->sum(row - columns.end + 1, row - columns.begin) *
                   (columns.size() == narrowest ? of_narrow : of_wide);
        });
        fill(view.weights.max,
             [&](Interval columns) { return windows_->max(nearest(rows, columns), farthest(rows, columns)) * factor; });
        fill(view.weights.min,
             [&](Interval columns) { return windows_->min(nearest(rows, columns), farthest(rows, columns)) * factor; });
    }

  private:
    Interval listed_;
    Workspace::Array<double> factors_;
    std::optional<DistanceWindows> own_;
    const DistanceWindows* windows_ = nullptr;
    std::vector<ColumnWindows> columns_;  // for every width of a cell, if cells have several rows
    std::int64_t lowest_ = 0;             // distance of the first window
};

/// Adds a band's rows to the cells: sums to `mean`, extremes to `min` and `max`.
void add_band(const ToeplitzTask& task, const std::optional<DistanceWindows>& windows, const Band& band,
              AttentionView& view) {
    const CellGeometry& cells = task.cells;
    const int last_row = shown_rows(band, cells, view).end - 1;
    if (last_row - view.viewport.columns.begin < task.logits.first()) return;
    const BandWeights weights(task, windows, band, view);
    if (cells.has_one_sum_each) {
        tbb::parallel_for(band.listed.begin, band.listed.end, [&](int listed) {
            task.cancel.check();
            weights.fill_row(task, listed, view);
        });
        return;
    }
    const Interval row_cells{cells.cell_of(band.listed.begin), cells.cell_of(band.listed.end - 1) + 1};
    const int seen = cells.seen_cells(task.problem.seen_keys(last_row)).end;
    for_each_cell(row_cells, seen, task.cancel, [&](int down, int across) {
        const Interval listed{std::max(cells.first_row[down], band.listed.begin),
                              std::min(cells.first_row[down + 1], band.listed.end)};
        const Interval columns = cells.columns[across];
        const BandWeights::Part part{.listed = listed,
                                     .distance = std::int64_t{view.row_index[listed.begin]} - columns.begin,
                                     .columns = columns.size()};
        if (part.distance + listed.size() - 1 < task.logits.first()) return;
        const std::size_t at = static_cast<std::size_t>(down) * view.viewport.cells_across + across;
        const PooledRows pooled = weights.pooled(part);
        PooledGrid& grid = view.weights;
        if (!grid.mean.empty()) grid.mean[at] += pooled.sum;
        if (!grid.max.empty()) grid.max[at] = std::max(grid.max[at], std::min(pooled.max, 1.0));
        if (!grid.min.empty()) grid.min[at] = std::min(grid.min[at], pooled.min);
    });
}

}  // namespace

DistanceWindows exponential_windows(const ToeplitzTask& task, const Viewport& viewport, Interval rows) {
    static_assert(piece_size % WindowTable<Sum>::longest_block == 0);
    const std::int64_t needed = nearest(rows, viewport.columns) - task.logits.first(),
                       piece = std::max<std::int64_t>(0, needed) / static_cast<std::int64_t>(piece_size);
    // Masked entries have weight 0.
    return {task.logits.first() + piece * static_cast<std::int64_t>(piece_size),
            farthest(rows, viewport.columns),
            viewport.content,
            task.cells.narrowest,
            {.min = 0, .max = 0},
            task.workspace};
}

void pool_weights(const ToeplitzTask& task, const std::optional<DistanceWindows>& windows, AttentionView& view) {
    const CellGeometry& cells = task.cells;
    const int cells_across = view.viewport.cells_across;
    const Interval all_rows{0, view.viewport.cells_down};
    const auto entries = [&](int down, int across) {
        return std::int64_t{cells.rows[down].size()} * cells.columns[across].size();
    };
    PooledGrid& grid = view.weights;
    if (!grid.min.empty())
        for_each_cell(all_rows, cells_across, task.cancel, [&](int down, int across) {
            const bool masked =
                unmasked_entries(task.problem, cells.rows[down], cells.columns[across]) < entries(down, across);
            grid.min[static_cast<std::size_t>(down) * cells_across + across] = masked ? 0 : infinity;
        });
    for (const Band& band : bands_of(task, view)) add_band(task, windows, band, view);
    if (grid.mean.empty() || (cells.has_one_sum_each && grid.max.empty() && grid.min.empty())) return;
    for_each_cell(all_rows, cells_across, task.cancel, [&](int down, int across) {
        // For one row they are already means.
        finish_mean(grid, static_cast<std::size_t>(down) * cells_across + across,
                    cells.has_one_sum_each ? 1 : static_cast<double>(entries(down, across)));
    });
}

}  // namespace ropewalk::cpu
