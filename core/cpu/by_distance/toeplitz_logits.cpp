// Pooled logits of heads whose logits depend on the distance alone.
#include <algorithm>
#include <optional>
#include <set>
#include <vector>

#include "core/cpu/by_distance/toeplitz.h"
#include "core/numbers/numbers.h"

namespace ropewalk::cpu {
namespace {

/// Sums over cells as sliding sums of sliding sums. There is no subtraction, so each is as exact as its own logits
/// however large others are. They are 0 before `first`, where the series begins.
class SpreadSums {
  public:
    SpreadSums(std::span<const double> values, std::int64_t first, const ToeplitzTask& task) : first_(first) {
        for (const int columns : std::set{task.cells.narrowest, task.cells.widest}) {
            const Workspace::Array<double> of_rows = sums_over(values, columns, task);
            for (const int rows : std::set{task.cells.fewest_rows, task.cells.most_rows})
                sums_.push_back({.rows = rows, .columns = columns, .ending_at = sums_over(of_rows, rows, task)});
        }
    }
    double sum(Interval rows, Interval columns) const {
        const auto size = std::find_if(sums_.begin(), sums_.end(), [&](const Sums& sums) {
            return sums.rows == rows.size() && sums.columns == columns.size();
        });
        return size->ending_at[static_cast<std::size_t>(farthest(rows, columns) - first_)];
    }

  private:
    /// Returns the sums over windows of one width, by the place where they end.
    static Workspace::Array<double> sums_over(std::span<const double> values, int width, const ToeplitzTask& task) {
        WindowTable<Sum> table(values.size(), width, 0, task.workspace);
        table.take(0, values);
        Workspace::Array<double> sums = task.workspace.take<double>(values.size());
        table.fill(width, 0, sums, task.cancel);
        return sums;
    }

    struct Sums {
        int rows = 0, columns = 0;
        Workspace::Array<double> ending_at;
    };
    std::int64_t first_ = 0;
    std::vector<Sums> sums_;
};

/// Sum and extremes over cells of the logits at the distances first … last; a cell's distances are a range.
class CellLogits {
  public:
    CellLogits(const ToeplitzTask& task, const CellContent& wanted, std::int64_t first, std::int64_t last)
        : windows_(first, last,
                   {.mean = wanted.mean && task.cells.most_rows == 1, .min = wanted.min, .max = wanted.max},
                   task.cells.fewest_rows + task.cells.narrowest - 1, {}, task.workspace) {
        const LogitSeries logits = task.logits.range(first, last);
        const Workspace::Array<double> values = task.workspace.take<double>(logits.scores.size());
        for_each_piece(logits, task.cancel, [&](std::size_t piece, const LogitSeries& part) {
            double* const out = values.data() + piece * piece_size;
            part.write(out);
            windows_.take(part.first(), {out, part.scores.size()});
        });
        if (!wanted.mean || task.cells.most_rows == 1) return;
        // Damped logits vary over many powers of ten, also at negative distances.
        if (task.problem.lowered.damping.empty())
            rectangles_.emplace(values, first, task.workspace, task.cancel);
        else
            spread_.emplace(values, first, task);
    }

    double sum(Interval rows, Interval columns) const {
        if (rectangles_) return rectangles_->sum(rows, columns);
        return spread_ ? spread_->sum(rows, columns) : windows_.sum(nearest(rows, columns), farthest(rows, columns));
    }
    double max(Interval rows, Interval columns) const {
        return windows_.max(nearest(rows, columns), farthest(rows, columns));
    }
    double min(Interval rows, Interval columns) const {
        return windows_.min(nearest(rows, columns), farthest(rows, columns));
    }

  private:
    DistanceWindows windows_;
    std::optional<RectangleSums> rectangles_;
    std::optional<SpreadSums> spread_;
};

}  // namespace

void pool_logits(const ToeplitzTask& task, AttentionView& view) {
    const Viewport& viewport = view.viewport;
    PooledGrid& grid = view.logits;
    const std::int64_t first = std::max(task.logits.first(), nearest(viewport.rows, viewport.columns)),
                       last = farthest(viewport.rows, viewport.columns);
    for (Numbers* values : {&grid.mean, &grid.min, &grid.max}) std::fill(values->begin(), values->end(), -infinity);
    if (last < first) return;
    const CellLogits logits(task, viewport.content, first, last);
    for_each_cell({0, viewport.cells_down}, viewport.cells_across, task.cancel, [&](int down, int across) {
        const Interval rows = task.cells.rows[down], columns = task.cells.columns[across];
        const std::int64_t count = unmasked_entries(task.problem, rows, columns);
        if (count == 0) return;
        const std::size_t at = static_cast<std::size_t>(down) * viewport.cells_across + across;
        if (!grid.min.empty()) grid.min[at] = logits.min(rows, columns);
        if (!grid.max.empty()) grid.max[at] = logits.max(rows, columns);
        if (grid.mean.empty()) return;
        grid.mean[at] = logits.sum(rows, columns);
        finish_mean(grid, at, static_cast<double>(count));
    });
}

}  // namespace ropewalk::cpu
