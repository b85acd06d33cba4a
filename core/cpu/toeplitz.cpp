#include "core/cpu/toeplitz.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <set>

#include "core/cpu/series.h"
#include "core/cpu/sum_by_distance.h"
#include "core/cpu/vector_math.h"
#include "core/cpu/view.h"

namespace ropewalk::cpu {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// All logits that rows of the viewport see.
LogitSeries logits_by_distance(const Problem& problem, Interval rows, Workspace& workspace, const Cancel& cancel) {
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
                         .per_step = phase_at(problem.positions.stride, phase_of(w)),
                         .damping = lowered.nepers_over(pair, problem.positions.stride)});
    }
    const bool causal = problem.mask == Mask::causal;
    const std::int64_t first = causal ? 0 : rows.begin - (std::int64_t{problem.seq_len} - 1);
    LogitSeries logits{.first = first, .values = workspace.take<double>(static_cast<std::size_t>(rows.end - first))};
    sum_by_distance(terms, first, logits.values, cancel);
    if (const double slope = lowered.bias_slope * problem.positions.stride / problem.temperature; slope != 0)
        for (std::int64_t r = first; r <= logits.last(); ++r)
            logits.values[static_cast<std::size_t>(r - first)] -= slope * static_cast<double>(r);
    return logits;
}

/// Greatest logit and log-sum-exp of every listed row, over all its keys: those at or before the query, and those after
/// it.
void fill_row_statistics(const ToeplitzTask& task, AttentionView& view) {
    const Problem& problem = task.problem;
    const LogitSeries& logits = task.logits;
    const Interval rows = view.viewport.rows;
    const PrefixLogSums past = prefix_log_sums({logits.range(0, logits.last()), task.workspace, task.cancel},
                                               static_cast<std::size_t>(rows.begin));
    PrefixLogSums future;
    if (const std::int64_t reach = -logits.first; reach > 0) {
        const Workspace::Array<double> reversed = task.workspace.take<double>(static_cast<std::size_t>(reach));
        for (std::int64_t r = 1; r <= reach; ++r) reversed[static_cast<std::size_t>(r - 1)] = logits.at(-r);
        const int fewest = problem.seq_len - rows.end;  // keys after the last row
        future =
            prefix_log_sums({reversed, task.workspace, task.cancel}, static_cast<std::size_t>(std::max(fewest - 1, 0)));
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
void fill_entries(const ToeplitzTask& task, AttentionView& view) {
    const Interval rows = view.viewport.rows, columns = view.viewport.columns;
    tbb::parallel_for(tbb::blocked_range<int>(rows.begin, rows.end, 16), [&](const tbb::blocked_range<int>& block) {
        task.cancel.check();
        for (int row = block.begin(); row < block.end(); ++row) {
            const std::size_t index = static_cast<std::size_t>(row - rows.begin), begin = index * columns.size();
            const int visible = std::clamp(task.problem.visible_keys(row), columns.begin, columns.end);
            double* const logit = view.logits.mean.data() + begin;
            for (int key = columns.begin; key < visible; ++key)
                logit[key - columns.begin] = task.logits.at(std::int64_t{row} - key);
            std::fill(logit + (visible - columns.begin), logit + columns.size(), -infinity);
            exp_minus({logit, static_cast<std::size_t>(columns.size())}, view.row_log_sum[index],
                      view.weights.mean.data() + begin);
        }
    });
}

/// Sums of the logits over cells, as sliding sums of sliding sums: without subtraction, so that each is as exact as its
/// own logits however far others spread. They are 0 before `first`, where the series begins.
class SpreadSums {
  public:
    SpreadSums(const SeriesTask& series, const CellGeometry& cells, std::int64_t first) : first_(first) {
        for (const int columns : std::set{cells.narrowest, cells.widest}) {
            const Workspace::Array<double> of_rows = sliding_sums(series, columns);
            for (const int rows : std::set{cells.fewest_rows, cells.most_rows})
                sums_.push_back({.rows = rows,
                                 .columns = columns,
                                 .ending_at = sliding_sums({of_rows, series.workspace, series.cancel}, rows)});
        }
    }
    double sum(Interval rows, Interval columns) const {
        const auto size = std::find_if(sums_.begin(), sums_.end(), [&](const Sums& sums) {
            return sums.rows == rows.size() && sums.columns == columns.size();
        });
        return size->ending_at[static_cast<std::size_t>(std::int64_t{rows.end} - 1 - columns.begin - first_)];
    }

  private:
    struct Sums {
        int rows = 0, columns = 0;
        Workspace::Array<double> ending_at;
    };
    std::int64_t first_ = 0;
    std::vector<Sums> sums_;
};

/// Fills view.logits, pooled.
void pool_logits(const ToeplitzTask& task, AttentionView& view) {
    const Viewport& viewport = view.viewport;
    const CellGeometry& cells = task.cells;
    const std::int64_t first =
        std::max(task.logits.first, std::int64_t{viewport.rows.begin} - viewport.columns.end + 1);
    const std::int64_t last = std::int64_t{viewport.rows.end} - 1 - viewport.columns.begin;
    for (std::vector<double>* values : {&view.logits.mean, &view.logits.least, &view.logits.greatest})
        std::fill(values->begin(), values->end(), -infinity);
    if (last < first) return;
    const SeriesTask series{task.logits.range(first, last), task.workspace, task.cancel};
    // Damped logits spread over many powers of ten, below distance 0 too.
    std::optional<RectangleSums> sums;
    std::optional<SpreadSums> spread_sums;
    if (task.problem.lowered.damping.empty())
        sums.emplace(series, first);
    else
        spread_sums.emplace(series, cells, first);
    // The distances in a cell are a range, never shorter than this unless the mask cuts it off at the beginning of the
    // series.
    const int shortest = cells.fewest_rows + cells.narrowest - 1;
    const SlidingExtremes extremes = sliding_extremes(series, shortest, {.greatest = -infinity, .least = infinity});
    for_each_cell({0, viewport.cells_down}, viewport.cells_across, task.cancel, [&](int down, int across) {
        const Interval rows = cells.rows[down], columns = cells.columns[across];
        const std::int64_t count = unmasked_entries(task.problem.mask, rows, columns);
        if (count == 0) return;
        const std::size_t at = static_cast<std::size_t>(down) * viewport.cells_across + across;
        const std::int64_t least_distance = std::max(first, std::int64_t{rows.begin} - columns.end + 1);
        const std::int64_t greatest_distance = std::int64_t{rows.end} - 1 - columns.begin;
        double least = infinity, greatest = -infinity;
        for (std::int64_t end = least_distance + shortest - 1;; end += shortest) {
            const std::size_t window = static_cast<std::size_t>(std::min(end, greatest_distance) - first);
            least = std::min(least, extremes.least[window]);
            greatest = std::max(greatest, extremes.greatest[window]);
            if (end >= greatest_distance) break;
        }
        const double sum = sums ? sums->sum(rows, columns) : spread_sums->sum(rows, columns);
        view.logits.mean[at] = std::clamp(sum / static_cast<double>(count), least, greatest);
        view.logits.least[at] = least;
        view.logits.greatest[at] = greatest;
    });
}

}  // namespace

AttentionView attend_by_distance(const Problem& problem, const Viewport& viewport, Workspace& workspace,
                                 const Cancel& cancel) {
    AttentionView view = empty_view(problem, viewport);
    const LogitSeries logits = logits_by_distance(problem, viewport.rows, workspace, cancel);
    const CellGeometry cells(viewport);
    const ToeplitzTask task{problem, logits, cells, workspace, cancel};
    fill_row_statistics(task, view);
    if (viewport.is_one_to_one()) {
        fill_entries(task, view);
    } else {
        pool_logits(task, view);
        pool_weights(task, view);
    }
    return view;
}

}  // namespace ropewalk::cpu
