// Pooled weights of heads whose logits depend on the distance alone: weight(i, j) = exp(logit(i − j)) / denominator(i).
#include <algorithm>
#include <limits>

#include "core/cpu/series.h"
#include "core/cpu/toeplitz.h"
#include "core/cpu/vector_math.h"

namespace ropewalk::cpu {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

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

/// Sums and extremes of exponentials over the columns of a cell, by the distance to its first column.
struct ColumnWindows {
    int width = 0;
    Workspace::Array<double> sum;
    SlidingExtremes extremes;
};

/// A band's weights as products: exp(logit − reference) of the distance times a factor of the row.
class BandWeights {
  public:
    BandWeights(const ToeplitzTask& task, const AttentionView& view, const Band& band)
        : listed_(band.listed), factors_(task.workspace.take<double>(static_cast<std::size_t>(band.listed.size()))) {
        const Viewport& viewport = view.viewport;
        const LogitSeries& logits = task.logits;
        const CellGeometry& cells = task.cells;
        const int first_row = view.row_index[listed_.begin], last_row = view.row_index[listed_.end - 1];
        for (int i = listed_.begin; i < listed_.end; ++i)
            factors_[i - listed_.begin] = band.reference - view.row_log_sum[i];
        exp_minus(factors_, 0, factors_.data());

        // Masked distances down to the lowest that a straddling cell asks for have exponential 0, which is also what
        // their weight counts as.
        const std::int64_t lowest = task.problem.mask == Mask::causal ? 1 - cells.most_rows : logits.first;
        first_ = std::max(lowest, std::int64_t{first_row} - viewport.columns.end + 1);
        const std::int64_t last = std::int64_t{last_row} - viewport.columns.begin;
        const std::int64_t masked = std::max<std::int64_t>(0, logits.first - first_);
        const Workspace::Array<double> exponentials =
            task.workspace.take<double>(static_cast<std::size_t>(last - first_ + 1));
        std::fill_n(exponentials.data(), masked, 0.0);
        const std::span<const double> visible = logits.range(first_ + masked, last);
        constexpr std::size_t piece = 8192;
        tbb::parallel_for(std::size_t{0}, (visible.size() + piece - 1) / piece, [&](std::size_t p) {
            task.cancel.check();
            exp_minus(visible.subspan(p * piece, std::min(piece, visible.size() - p * piece)), band.reference,
                      exponentials.data() + masked + p * piece);
        });

        const SeriesTask series{exponentials, task.workspace, task.cancel};
        for (const int width : {cells.narrowest, cells.widest}) {
            if (!windows_.empty() && windows_.back().width == width) continue;
            windows_.push_back(
                {.width = width, .sum = sliding_sums(series, width), .extremes = sliding_extremes(series, width, {})});
        }
    }

    /// The part of a cell that lies in the band: its listed rows, the distance from the first of them to the first
    /// column, and the number of columns.
    struct Part {
        Interval listed;
        std::int64_t distance = 0;
        int columns = 0;
    };

    PooledRows pooled(const Part& part) const {
        const ColumnWindows& windows = part.columns == windows_.front().width ? windows_.front() : windows_.back();
        const std::size_t window = static_cast<std::size_t>(part.distance - first_);
        return pool({.sums = windows.sum.data() + window,
                     .greatest = windows.extremes.greatest.data() + window,
                     .least = windows.extremes.least.data() + window,
                     .factors = factors_.data() + (part.listed.begin - listed_.begin),
                     .count = part.listed.size()});
    }

  private:
    Interval listed_;
    std::int64_t first_ = 0;  // distance of the first window
    Workspace::Array<double> factors_;
    std::vector<ColumnWindows> windows_;  // of one or two widths
};

/// Adds a band's rows to the cells: `mean` collects sums, `least` and `greatest` their extremes.
void add_band(const ToeplitzTask& task, const Band& band, AttentionView& view) {
    const int last_row = view.row_index[band.listed.end - 1];
    if (last_row - view.viewport.columns.begin < task.logits.first) return;
    const CellGeometry& cells = task.cells;
    const BandWeights weights(task, view, band);
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
        view.weights.mean[at] += pooled.sum;
        view.weights.greatest[at] = std::max(view.weights.greatest[at], pooled.greatest);
        view.weights.least[at] = std::min(view.weights.least[at], pooled.least);
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
    for_each_cell(all_rows, cells_across, task.cancel, [&](int down, int across) {
        const bool masked =
            unmasked_entries(task.problem.mask, cells.rows[down], cells.columns[across]) < entries(down, across);
        view.weights.least[static_cast<std::size_t>(down) * cells_across + across] = masked ? 0 : infinity;
    });
    for (const Band& band : bands_of(view)) add_band(task, band, view);
    for_each_cell(all_rows, cells_across, task.cancel, [&](int down, int across) {
        // Sums round where single entries do not: a mean stays between the extremes.
        const std::size_t at = static_cast<std::size_t>(down) * cells_across + across;
        const double mean = view.weights.mean[at] / static_cast<double>(entries(down, across));
        view.weights.mean[at] = std::clamp(mean, view.weights.least[at], view.weights.greatest[at]);
    });
}

}  // namespace ropewalk::cpu
