#include "core/cpu/toeplitz.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "core/cpu/rotated_rows.h"
#include "core/cpu/series.h"
#include "core/cpu/sum_by_distance.h"
#include "core/cpu/vector_math.h"
#include "core/cpu/view.h"
#include "core/numbers.h"

namespace ropewalk::cpu {
namespace {

/// Makes the scores at all distances.
void make_scores(KeptLogits& kept, const Problem& problem, const Cancel& cancel) {
    const Lowered& lowered = problem.lowered;
    const std::span<const double> q = problem.inputs.q.constant_row(), k = problem.inputs.k.constant_row();
    const double factor = lowered.attention_scaling * lowered.attention_scaling;
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
    kept.first = problem.mask == Mask::causal ? 0 : 1 - std::int64_t{problem.seq_len};
    kept.scores.resize(static_cast<std::size_t>(problem.seq_len - kept.first));
    sum_by_distance(terms, kept.first, kept.scores, cancel);
}

/// The logits of all distances: another scale or temperature alone leaves the scores as they are.
const KeptLogits& logits_of(ToeplitzState& state, const Problem& problem, const Cancel& cancel) {
    LogitOrigin origin = LogitOrigin::of(problem);
    KeptLogits& kept = state.kept.of(origin.scores);
    if (origin == kept.origin) return kept;
    if (!(origin.scores == kept.origin.scores)) {
        kept.origin = {};
        make_scores(kept, problem, cancel);
    }
    kept.origin = {};
    kept.logits.resize(kept.scores.size());
    const double factor = problem.scale / problem.temperature,
                 slope = problem.lowered.bias_slope * problem.positions.stride / problem.temperature;
    constexpr std::size_t piece = 8192;
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, kept.scores.size(), piece), [&](const auto& some) {
        cancel.check();
        for (std::size_t i = some.begin(); i < some.end(); ++i)
            kept.logits[i] =
                factor * kept.scores[i] - slope * static_cast<double>(kept.first + static_cast<std::int64_t>(i));
    });
    kept.origin = std::move(origin);
    return kept;
}

/// Those that rows of the viewport see.
LogitSeries logits_seen(const KeptLogits& kept, const Problem& problem, Interval rows) {
    const std::int64_t first = problem.mask == Mask::causal ? 0 : rows.begin - (std::int64_t{problem.seq_len} - 1);
    return {.first = first,
            .values =
                std::span(kept.logits)
                    .subspan(static_cast<std::size_t>(first - kept.first), static_cast<std::size_t>(rows.end - first))};
}

/// Greatest logit and log-sum-exp of every listed row, over all its keys: those at or before the query, and those after
/// it.
void fill_row_statistics(const ToeplitzTask& task, AttentionView& view) {
    const Problem& problem = task.problem;
    const LogitSeries& logits = task.logits;
    const std::vector<int>& rows = view.row_index;
    PrefixLogSums past = logits.first == 0
                             ? prefix_log_sums(task.series(), task.exponentials, rows)
                             : prefix_log_sums({logits.range(0, logits.last()), task.workspace, task.cancel}, rows);
    view.row_greatest_logit = std::move(past.greatest);
    view.row_log_sum = std::move(past.log_sum);
    if (problem.mask == Mask::causal || logits.first == 0) return;

    const Workspace::Array<double> reversed = task.workspace.take<double>(static_cast<std::size_t>(-logits.first));
    for (std::int64_t r = 1; r <= -logits.first; ++r) reversed[static_cast<std::size_t>(r - 1)] = logits.at(-r);
    std::vector<int> lasts;  // of the last row first, because it has the fewest keys after it
    for (auto row = rows.rbegin(); row != rows.rend(); ++row)
        if (const int after = problem.seq_len - 1 - *row; after > 0) lasts.push_back(after - 1);
    const PrefixLogSums future = prefix_log_sums({reversed, task.workspace, task.cancel}, lasts);
    for (std::size_t place = 0; place < lasts.size(); ++place) {
        const std::size_t i = lasts.size() - 1 - place;  // only the last of all rows may have none after it
        view.row_greatest_logit[i] = std::max(view.row_greatest_logit[i], future.greatest[place]);
        const double greater = std::max(view.row_log_sum[i], future.log_sum[place]);
        const double smaller = std::min(view.row_log_sum[i], future.log_sum[place]);
        view.row_log_sum[i] = greater + std::log1p(std::exp(smaller - greater));
    }
}

/// One entry a cell: each row of the view is a stretch of the logits, backwards.
void fill_entries(const ToeplitzTask& task, AttentionView& view) {
    const Interval rows = view.viewport.rows, columns = view.viewport.columns;
    tbb::parallel_for(tbb::blocked_range<int>(rows.begin, rows.end, 16), [&](const tbb::blocked_range<int>& block) {
        task.cancel.check();
        std::vector<double> unwanted(view.viewport.content.logits ? 0 : static_cast<std::size_t>(columns.size()));
        for (int row = block.begin(); row < block.end(); ++row) {
            const std::size_t index = static_cast<std::size_t>(row - rows.begin), begin = index * columns.size();
            const int visible = std::clamp(task.problem.visible_keys(row), columns.begin, columns.end);
            double* const logit = unwanted.empty() ? view.logits.mean.data() + begin : unwanted.data();
            for (int key = columns.begin; key < visible; ++key)
                logit[key - columns.begin] = task.logits.at(std::int64_t{row} - key);
            std::fill(logit + (visible - columns.begin), logit + columns.size(), -infinity);
            if (view.viewport.content.weights)
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

/// Sums of the logits over cells.
class LogitSums {
  public:
    LogitSums(const ToeplitzTask& task, const SeriesTask& series, std::int64_t first) {
        // Damped logits spread over many powers of ten, below distance 0 too.
        if (task.problem.lowered.damping.empty())
            rectangles_.emplace(series, first);
        else
            spread_.emplace(series, task.cells, first);
    }
    double sum(Interval rows, Interval columns) const {
        return rectangles_ ? rectangles_->sum(rows, columns) : spread_->sum(rows, columns);
    }

  private:
    std::optional<RectangleSums> rectangles_;
    std::optional<SpreadSums> spread_;
};

/// Sum and extremes of the logits over cells of several rows.
class CellLogits {
  public:
    CellLogits(const ToeplitzTask& task, const CellContent& wanted, std::int64_t first, std::int64_t last)
        : first_(first), shortest_(task.cells.fewest_rows + task.cells.narrowest - 1) {
        const SeriesTask series{task.logits.range(first, last), task.workspace, task.cancel};
        if (wanted.mean) sums_.emplace(task, series, first);
        // The distances in a cell are a range, never shorter than this unless the mask cuts it off at the beginning of
        // the series.
        const CellContent extremes{.mean = false, .least = wanted.least, .greatest = wanted.greatest};
        windows_ = window_statistics(series, shortest_, extremes, {.greatest = -infinity, .least = infinity});
    }
    double sum(Interval rows, Interval columns) const { return sums_->sum(rows, columns); }
    double greatest(Interval rows, Interval columns) const {
        return over_windows(rows, columns, windows_.greatest, -infinity,
                            [](double a, double b) { return std::max(a, b); });
    }
    double least(Interval rows, Interval columns) const {
        return over_windows(rows, columns, windows_.least, infinity, [](double a, double b) { return std::min(a, b); });
    }

  private:
    template <class Combine>
    double over_windows(Interval rows, Interval columns, const Workspace::Array<double>& windows, double nothing,
                        Combine combine) const {
        const std::int64_t least_distance = std::max(first_, std::int64_t{rows.begin} - columns.end + 1);
        const std::int64_t greatest_distance = std::int64_t{rows.end} - 1 - columns.begin;
        double all = nothing;
        for (std::int64_t end = least_distance + shortest_ - 1;; end += shortest_) {
            all = combine(all, windows[static_cast<std::size_t>(std::min(end, greatest_distance) - first_)]);
            if (end >= greatest_distance) return all;
        }
    }

    std::int64_t first_ = 0;
    int shortest_ = 0;
    std::optional<LogitSums> sums_;
    WindowStatistics windows_;
};

/// The same over cells of one row each.
class RowLogits {
  public:
    RowLogits(const ToeplitzTask& task, const AttentionView& view, std::int64_t first, std::int64_t last)
        : windows_(column_windows(task, view, {0, static_cast<int>(view.row_index.size())}, first,
                                  task.logits.range(first, last), {.greatest = -infinity, .least = infinity})) {}

    double sum(Interval rows, Interval columns) const { return at(&WindowStatistics::sum, rows, columns); }
    double greatest(Interval rows, Interval columns) const { return at(&WindowStatistics::greatest, rows, columns); }
    double least(Interval rows, Interval columns) const { return at(&WindowStatistics::least, rows, columns); }

  private:
    double at(Workspace::Array<double> WindowStatistics::*which, Interval rows, Interval columns) const {
        const std::int64_t distance = std::int64_t{rows.begin} - columns.begin;
        return (windows_.of(columns.size()).*which)[static_cast<std::size_t>(distance - windows_.first)];
    }

    ColumnWindows windows_;
};

/// Fills the grid from sums and extremes over cells.
template <class Logits>
void fill_logits(const ToeplitzTask& task, const Logits& logits, const Viewport& viewport, PooledGrid& grid) {
    for_each_cell({0, viewport.cells_down}, viewport.cells_across, task.cancel, [&](int down, int across) {
        const Interval rows = task.cells.rows[down], columns = task.cells.columns[across];
        const std::int64_t count = unmasked_entries(task.problem.mask, rows, columns);
        if (count == 0) return;
        const std::size_t at = static_cast<std::size_t>(down) * viewport.cells_across + across;
        if (!grid.least.empty()) grid.least[at] = logits.least(rows, columns);
        if (!grid.greatest.empty()) grid.greatest[at] = logits.greatest(rows, columns);
        if (grid.mean.empty()) return;
        grid.mean[at] = logits.sum(rows, columns);
        finish_mean(grid, at, static_cast<double>(count));
    });
}

/// Fills view.logits, pooled.
void pool_logits(const ToeplitzTask& task, AttentionView& view) {
    const Viewport& viewport = view.viewport;
    const std::int64_t first =
        std::max(task.logits.first, std::int64_t{viewport.rows.begin} - viewport.columns.end + 1);
    const std::int64_t last = std::int64_t{viewport.rows.end} - 1 - viewport.columns.begin;
    for (std::vector<double>* values : {&view.logits.mean, &view.logits.least, &view.logits.greatest})
        std::fill(values->begin(), values->end(), -infinity);
    if (last < first) return;
    if (task.cells.most_rows == 1)
        fill_logits(task, RowLogits(task, view, first, last), viewport, view.logits);
    else
        fill_logits(task, CellLogits(task, viewport.content, first, last), viewport, view.logits);
}

}  // namespace

ColumnWindows column_windows(const ToeplitzTask& task, const AttentionView& view, Interval listed, std::int64_t first,
                             std::span<const double> values, Outside outside) {
    const CellGeometry& cells = task.cells;
    const SeriesTask series{values, task.workspace, task.cancel};
    ColumnWindows windows{.first = first, .narrow = {}, .wide = {}};
    const CellContent& content = view.viewport.content;
    if (cells.most_rows > 1) {
        windows.narrow = window_statistics(series, cells.narrowest, content, outside);
        if (cells.widest != cells.narrowest) windows.wide = window_statistics(series, cells.widest, content, outside);
        return windows;
    }
    Places narrow_ends(values.size()), wide_ends(values.size());  // few are looked at
    for (int i = listed.begin; i < listed.end; ++i)
        for (const Interval& columns : cells.columns) {
            const std::int64_t place = std::int64_t{view.row_index[i]} - columns.begin - first;
            if (place < 0) break;
            if (place < static_cast<std::int64_t>(values.size()))
                (columns.size() == cells.narrowest ? narrow_ends : wide_ends).add(static_cast<std::size_t>(place));
        }
    windows.narrow = window_statistics(series, cells.narrowest, content, outside, narrow_ends.list());
    if (cells.widest != cells.narrowest)
        windows.wide = window_statistics(series, cells.widest, content, outside, wide_ends.list());
    return windows;
}

AttentionView attend_by_distance(const Problem& problem, const Viewport& viewport, ToeplitzState& state,
                                 const Cancel& cancel) {
    AttentionView view = empty_view(problem, viewport);
    const LogitSeries logits = logits_seen(logits_of(state, problem, cancel), problem, viewport.rows);
    Workspace& workspace = state.workspace;
    const CellGeometry cells(viewport);
    const ToeplitzTask task{problem,   logits, cells,
                            workspace, cancel, exponentials({logits.values, workspace, cancel}, cells.most_rows - 1)};
    fill_row_statistics(task, view);
    if (viewport.is_one_to_one()) {
        fill_entries(task, view);
    } else {
        if (viewport.content.logits) pool_logits(task, view);
        if (viewport.content.weights) pool_weights(task, view);
    }
    return view;
}

}  // namespace ropewalk::cpu
