// Pooled weights of heads whose logits depend on the distance alone: weight(i, j) = exp(logit(i − j)) / denominator(i).
#include <algorithm>

#include "core/cpu/series.h"
#include "core/cpu/toeplitz.h"
#include "core/cpu/vector_math.h"
#include "core/numbers.h"

namespace ropewalk::cpu {
namespace {

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

/// A band's weights as products: exp(logit − reference) of the distance times a factor of the row.
class BandWeights {
  public:
    BandWeights(const ToeplitzTask& task, const AttentionView& view, const Band& band)
        : listed_(band.listed), factors_(task.workspace.take<double>(static_cast<std::size_t>(band.listed.size()))) {
        const Viewport& viewport = view.viewport;
        const LogitSeries& logits = task.logits;
        const CellGeometry& cells = task.cells;
        const int first_row = view.row_index[listed_.begin], last_row = view.row_index[listed_.end - 1];
        const double reference = task.exponentials ? task.exponentials.reference : band.reference;
        for (int i = listed_.begin; i < listed_.end; ++i) factors_[i - listed_.begin] = reference - view.row_log_sum[i];
        exp_minus(factors_, 0, factors_.data());

        // Masked distances down to the lowest that a straddling cell asks for have exponential 0, which is also what
        // their weight counts as.
        const std::int64_t lowest = task.problem.mask == Mask::causal ? 1 - cells.most_rows : logits.first;
        first_ = std::max(lowest, std::int64_t{first_row} - viewport.columns.end + 1);
        const std::int64_t last = std::int64_t{last_row} - viewport.columns.begin;
        const std::size_t count = static_cast<std::size_t>(last - first_ + 1);
        if (task.exponentials) {
            const std::int64_t begin = first_ - logits.first + task.exponentials.padding;
            windows_ = column_windows(task, view, listed_, first_,
                                      std::span<const double>(task.exponentials.values).subspan(begin, count), {});
            return;
        }
        const std::int64_t masked = std::max<std::int64_t>(0, logits.first - first_);
        const Workspace::Array<double> exponentials = task.workspace.take<double>(count);
        std::fill_n(exponentials.data(), masked, 0.0);
        const std::span<const double> visible = logits.range(first_ + masked, last);
        constexpr std::size_t piece = 8192;
        tbb::parallel_for(std::size_t{0}, (visible.size() + piece - 1) / piece, [&](std::size_t p) {
            task.cancel.check();
            exp_minus(visible.subspan(p * piece, std::min(piece, visible.size() - p * piece)), reference,
                      exponentials.data() + masked + p * piece);
        });
        windows_ = column_windows(task, view, listed_, first_, exponentials, {});
    }

    /// The part of a cell that lies in the band: its listed rows, the distance from the first of them to the first
    /// column, and the number of columns.
    struct Part {
        Interval listed;
        std::int64_t distance = 0;
        int columns = 0;
    };

    PooledRows pooled(const Part& part) const {
        const WindowStatistics& windows = windows_.of(part.columns);
        const std::size_t window = static_cast<std::size_t>(part.distance - first_);
        const auto from = [&](const Workspace::Array<double>& values) {
            return values ? values.data() + window : nullptr;
        };
        return pool({.sums = from(windows.sum),
                     .greatest = from(windows.greatest),
                     .least = from(windows.least),
                     .factors = factors_.data() + (part.listed.begin - listed_.begin),
                     .count = part.listed.size()});
    }

    /// One row's weights in cells of their own, of the row's number in the list.
    void fill_row(const ToeplitzTask& task, int listed, AttentionView& view) const {
        const int cells_across = view.viewport.cells_across;
        const std::int64_t row = view.row_index[listed] - first_;
        const double factor = factors_[listed - listed_.begin];
        enum class Kind { sum, extreme };
        const auto fill = [&](Kind kind, Workspace::Array<double> WindowStatistics::*which, std::vector<double>& out) {
            if (out.empty()) return;
            // By whether the cell is narrow.
            const double factors[] = {factor / (kind == Kind::sum ? task.cells.widest : 1),
                                      factor / (kind == Kind::sum ? task.cells.narrowest : 1)};
            const double *narrow = (windows_.narrow.*which).data(), *wide = (windows_.wide.*which).data();
            double* const to = out.data() + std::ptrdiff_t{listed} * cells_across;
            for (int across = 0; across < view.visible_cells[listed]; ++across) {
                const Interval columns = task.cells.columns[across];
                const bool is_narrow = columns.size() == task.cells.narrowest;
                to[across] = factors[is_narrow] * (is_narrow ? narrow : wide)[row - columns.begin];
            }
        };
        fill(Kind::sum, &WindowStatistics::sum, view.weights.mean);
        fill(Kind::extreme, &WindowStatistics::greatest, view.weights.greatest);
        fill(Kind::extreme, &WindowStatistics::least, view.weights.least);
    }

  private:
    Interval listed_;
    std::int64_t first_ = 0;  // distance of the first window
    Workspace::Array<double> factors_;
    ColumnWindows windows_;
};

/// Adds a band's rows to the cells: `mean` collects sums, `least` and `greatest` their extremes.
void add_band(const ToeplitzTask& task, const Band& band, AttentionView& view) {
    const int last_row = view.row_index[band.listed.end - 1];
    if (last_row - view.viewport.columns.begin < task.logits.first) return;
    const CellGeometry& cells = task.cells;
    const BandWeights weights(task, view, band);
    if (cells.most_rows == 1) {
        tbb::parallel_for(band.listed.begin, band.listed.end, [&](int listed) {
            task.cancel.check();
            weights.fill_row(task, listed, view);
        });
        return;
    }
    const Interval row_cells{cells.cell_of(band.listed.begin), cells.cell_of(band.listed.end - 1) + 1};
    for_each_cell(row_cells, cells.visible_cells(task.problem, last_row), task.cancel, [&](int down, int across) {
        const Interval listed{std::max(cells.first_row[down], band.listed.begin),
                              std::min(cells.first_row[down + 1], band.listed.end)};
        const Interval columns = cells.columns[across];
        const BandWeights::Part part{.listed = listed,
                                     .distance = std::int64_t{view.row_index[listed.begin]} - columns.begin,
                                     .columns = columns.size()};
        if (part.distance + listed.size() - 1 < task.logits.first) return;
        const std::size_t at = static_cast<std::size_t>(down) * view.viewport.cells_across + across;
        const PooledRows pooled = weights.pooled(part);
        PooledGrid& grid = view.weights;
        if (!grid.mean.empty()) grid.mean[at] += pooled.sum;
        if (!grid.greatest.empty()) grid.greatest[at] = std::max(grid.greatest[at], pooled.greatest);
        if (!grid.least.empty()) grid.least[at] = std::min(grid.least[at], pooled.least);
    });
}

}  // namespace

void pool_weights(const ToeplitzTask& task, AttentionView& view) {
    const CellGeometry& cells = task.cells;
    const int cells_across = view.viewport.cells_across;
    const Interval all_rows{0, view.viewport.cells_down};
    const auto entries = [&](int down, int across) {
        return std::int64_t{cells.rows[down].size()} * cells.columns[across].size();
    };
    PooledGrid& grid = view.weights;
    if (!grid.least.empty())
        for_each_cell(all_rows, cells_across, task.cancel, [&](int down, int across) {
            const bool masked =
                unmasked_entries(task.problem.mask, cells.rows[down], cells.columns[across]) < entries(down, across);
            grid.least[static_cast<std::size_t>(down) * cells_across + across] = masked ? 0 : infinity;
        });
    for (const Band& band : bands_of(view)) add_band(task, band, view);
    if (grid.mean.empty() || (cells.most_rows == 1 && grid.greatest.empty() && grid.least.empty())) return;
    for_each_cell(all_rows, cells_across, task.cancel, [&](int down, int across) {
        // Of one row they are means already.
        finish_mean(grid, static_cast<std::size_t>(down) * cells_across + across,
                    cells.most_rows > 1 ? static_cast<double>(entries(down, across)) : 1);
    });
}

}  // namespace ropewalk::cpu
