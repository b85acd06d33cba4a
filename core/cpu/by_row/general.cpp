#include "core/cpu/by_row/general.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "core/cpu/log_weights.h"
#include "core/numbers/numbers.h"
#include "core/series/vector_math.h"

namespace ropewalk::cpu {
namespace {

constexpr std::size_t most_cell_bytes = std::size_t{32} << 20;  // of queries and their cells, in memory at a time
constexpr int task_cells = 64;                                  // columns of cells pooled together

template <class T>
ScanSettings<T> settings_for(const Problem& problem) {
    ScanSettings<T> settings{.head_dim = problem.head_dim(), .mask = problem.mask, .window = problem.window};
    settings.factor = static_cast<T>(problem.logit_factor());
    settings.bias_per_token = static_cast<T>(problem.bias_per_token());
    if (problem.softcap != 0)
        settings.max_logit = std::max(static_cast<T>(problem.max_logit()), std::numeric_limits<T>::min());
    if (problem.lowered.far) settings.far_tokens = far_tokens(problem);
    return settings;
}

/// Returns the number of statistics that cells need.
int statistics_for(const CellContent& content) {
    if (content.logits && content.mean) return all_statistics;
    if (content.min) return min + 1;
    return content.max ? max + 1 : shift + 1;
}

/// Writes max logit and log-sum-exp of the group's rows.
template <class T>
void fill_row_statistics(RowGroup<T>& group, AttentionView& view) {
    const int width = panel_rows<T>();
    for (int index = 0; index < group.listed.size(); ++index) {
        const QueryPanel<T>& panel = group.queries.panels()[index / width];
        const T max_logit = panel.max_logit[index % width];
        view.row_max_logit[group.listed.begin + index] = static_cast<double>(max_logit);
        // Rounding must not give a weight above 1.
        view.row_log_sum[group.listed.begin + index] =
            std::max(reference(max_logit) + std::log(panel.sum[index % width]), static_cast<double>(max_logit));
    }
}

template <class T>
LogWeights log_weights_of(const RowGroup<T>& group, int listed, const AttentionView& view) {
    const int place = listed - group.listed.begin, width = panel_rows<T>();
    return {view.row_max_logit[listed], view.row_log_sum[listed],
            group.queries.panels()[place / width].sum[place % width]};
}

/// Computes weights from the group's logits, for one entry per cell.
template <class T>
void finish_entries(const GeneralTask<T>& task, const RowGroup<T>& group, AttentionView& view) {
    const Interval columns = view.viewport.columns;
    tbb::parallel_for(group.listed.begin, group.listed.end, [&](int listed) {
        task.cancel.check();
        const Interval seen = task.problem.seen_keys(view.row_index[listed]);
        const auto column = [&](int key) { return std::clamp(key, columns.begin, columns.end) - columns.begin; };
        const Interval visible{column(seen.begin), column(seen.end)};
        const auto hide_others = [&](std::span<double> values, double hidden) {
            std::fill(values.begin(), values.begin() + visible.begin, hidden);
            std::fill(values.begin() + visible.end, values.end(), hidden);
        };
        const auto row = [&](Numbers& values) {
            return std::span(values).subspan(static_cast<std::size_t>(listed) * columns.size(), columns.size());
        };
        if (view.viewport.content.weights && !view.weights.mean.empty()) {
            const auto weights = row(view.weights.mean);
            const auto logits = view.viewport.content.logits ? row(view.logits.mean) : weights;
            log_weights_of(group, listed, view)
                .make_weights(logits.subspan(visible.begin, visible.size()), weights.data() + visible.begin);
            hide_others(weights, 0);
        }
        if (view.viewport.content.logits && !view.logits.mean.empty()) {
            hide_others(row(view.logits.mean), -infinity);
        }
    });
}

/// Finishes cells after their last row: converts logarithms to weights and sums to means.
void finish_cells(const Problem& problem, const CellGeometry& cells, int down, Interval across, AttentionView& view) {
    const std::size_t begin = static_cast<std::size_t>(down) * view.viewport.cells_across + across.begin;
    const Interval rows = cells.rows[down];
    for (int cell = across.begin; cell < across.end && !view.weights.min.empty(); ++cell) {
        const Interval columns = cells.columns[cell];
        if (unmasked_entries(problem, rows, columns) < std::int64_t{rows.size()} * columns.size())
            view.weights.min[begin + cell - across.begin] = -infinity;
    }
    for (Numbers* logarithms : {&view.weights.min, &view.weights.max})
        if (!logarithms->empty())
            exp_minus({logarithms->data() + begin, static_cast<std::size_t>(across.size())}, 0,
                      logarithms->data() + begin);
    finish_means(problem, cells, down, across, view);
}

/// Adds the group's rows to their cells, in order, and finishes the cells whose last row is among them.
template <class T>
void add_to_cells(const GeneralTask<T>& task, const RowGroup<T>& group, AttentionView& view) {
    const CellGeometry& cells = task.cells;
    const Interval row_cells{cells.cell_of(group.listed.begin), cells.cell_of(group.listed.end - 1) + 1};
    const int cells_across = view.viewport.cells_across, parts = (cells_across + task_cells - 1) / task_cells;
    const int width = panel_rows<T>(), first_cell = task.sample ? task.sample->first_cell : 0;
    // Rows of a panel are adjacent in memory, so they are processed in sequence.
    tbb::parallel_for(0, row_cells.size() * parts, [&](int cell_part) {
        task.cancel.check();
        const int down = row_cells.begin + cell_part % row_cells.size(), part = cell_part / row_cells.size();
        const Interval across{part * task_cells, std::min(cells_across, (part + 1) * task_cells)};
        const int begin = std::max(cells.first_row[down], group.listed.begin);
        const int end = std::min(cells.first_row[down + 1], group.listed.end);
        for (int listed = begin; listed < end; ++listed) {
            const Interval seen = cells.seen_cells(task.problem.seen_keys(view.row_index[listed]));
            const int first = std::max(across.begin, seen.begin), past = std::min(across.end, seen.end);
            if (first >= past) continue;
            const LogWeights log_weights = log_weights_of(group, listed, view);
            const int place = listed - group.listed.begin;
            const T* const of_row = group.queries.panels()[place / width].statistics + place % width;
            const std::ptrdiff_t apart = task.settings.place(1, exp_sum, width);
            // Calls combine(the cell's value so far, the row's) for every cell in which the row sees a key.
            const auto fold = [&](Statistic which, Numbers& grid, auto&& combine) {
                if (grid.empty()) return;
                const T* from = of_row + task.settings.place(first_cell + first, which, width);
                double* const values = grid.data() + static_cast<std::size_t>(down) * cells_across;
                for (int cell = first; cell < past; ++cell, from += apart)
                    values[cell] = combine(values[cell], static_cast<double>(*from));
            };
            fold(logit_sum, view.logits.mean, [](double sum, double value) { return sum + value; });
            fold(min, view.logits.min, [](double a, double b) { return std::min(a, b); });
            fold(max, view.logits.max, [](double a, double b) { return std::max(a, b); });
            fold(exp_sum, view.weights.mean, [](double sum, double value) { return sum + value; });
            fold(min, view.weights.min, [&](double a, double b) { return std::min(a, log_weights.of(b)); });
            fold(max, view.weights.max, [&](double a, double b) { return std::max(a, log_weights.of(b)); });
        }
        if (cells.first_row[down + 1] <= group.listed.end) finish_cells(task.problem, cells, down, across, view);
    });
}

/// Sets extremes to values that any entry replaces.
void start_cells(AttentionView& view) {
    for (PooledGrid* grid : {&view.logits, &view.weights}) {
        std::fill(grid->min.begin(), grid->min.end(), infinity);
        std::fill(grid->max.begin(), grid->max.end(), -infinity);
    }
}

/// Returns the number of leading listed rows with all keys, up to the end of the last panel that has an exact row.
template <class T>
int exact_count(const GeneralTask<T>& task, const AttentionView& view) {
    const LargeVector<int>& rows = view.row_index;
    const int all = static_cast<int>(rows.size()), width = panel_rows<T>();
    if (!task.sample) return all;
    const auto exact = std::lower_bound(rows.begin(), rows.end(), task.sample->exact_rows) - rows.begin();
    return std::min(all, (static_cast<int>(exact) + width - 1) / width * width);
}

/// Returns the view computed in T; nothing if the scores exceed the range of float.
template <class T>
std::optional<AttentionView> attend_in(const Problem& problem, const Viewport& viewport, GeneralState& state,
                                       const Cancel& cancel) {
    StageClock clock;
    auto& kept = std::get<std::optional<CachedInPrecision<T>>>(state.by_precision);
    CachedInPrecision<T>& cached = kept ? *kept : kept.emplace();
    AttentionView view = empty_view(problem, viewport);
    make_room_for_statistics(view);
    clock.lap(attention_stage::cells);
    const CellGeometry cells(viewport);
    const CellContent& content = viewport.content;
    // Cells of one entry need no statistics, only their mean.
    const bool has_entries =
        viewport.is_one_to_one() || (viewport.shows_entries() && content.mean && !content.min && !content.max);
    auto sample = draws_keys(problem, viewport) ? std::optional(draw_keys(problem, cells)) : std::nullopt;
    const std::vector<int> boundaries =
        sample ? sample->boundaries : (has_entries ? std::vector<int>() : cells.boundaries());
    const std::size_t key_bytes = sizeof(T) * problem.head_dim() * (problem.lowered.far ? 2 : 1);
    auto drawn_plan = sample ? std::optional(KeyPlan::drawn(*sample, key_bytes)) : std::nullopt;
    GeneralTask<T> task{.problem = problem,
                        .cells = cells,
                        .settings = settings_for<T>(problem),
                        .cancel = cancel,
                        .plan = KeyPlan::all(problem, boundaries, key_bytes),
                        .sample = std::move(sample),
                        .drawn_plan = std::move(drawn_plan),
                        .keeps_entries = has_entries,
                        .clock = std::move(clock)};
    task.settings.statistics = has_entries ? shift + 1 : statistics_for(content);

    const int exact = exact_count(task, view);
    cached.keys.prepare(problem);
    const int pieces = std::max(task.plan.piece_count(), task.drawn_plan ? task.drawn_plan->piece_count() : 0),
              statistics = task.settings.statistics * pieces;
    const int unit = panel_rows<T>();
    const std::size_t unit_bytes = sizeof(T) * unit * (static_cast<std::size_t>(statistics) + 2 * problem.head_dim());
    const int group_rows = static_cast<int>(std::clamp<std::size_t>(most_cell_bytes / unit_bytes, 1, 1024)) * unit;
    start_cells(view);
    RowTotals& totals = state.totals.of(ScoreOrigin::of(problem));
    totals.prepare<T>(problem);
    SumVariance variance;
    const int all_rows = static_cast<int>(view.row_index.size());
    for (int begin = 0; begin < all_rows; begin += group_rows) {
        const Interval listed{begin, std::min(begin + group_rows, all_rows)};
        const std::span rows(view.row_index.data() + begin, static_cast<std::size_t>(listed.size()));
        RowGroup<T> group{
            .listed = listed,
            .queries = QueryPanels<T>({problem, state.workspace, cancel, state.queries}, rows, statistics)};
        const std::span<QueryPanel<T>> panels = group.queries.panels();
        task.clock.lap(attention_stage::rotation);
        // Cells of several entries are summed in another order, which gives other last bits.
        if (has_entries) totals.recall(rows, panels);
        // A single panel is quickly scanned again, and caching it would evict the totals of a figure.
        if (panels.size() > 1 && listed.size() == all_rows && !task.sample && !panels.front().has_totals)
            cached.scores.lend(problem, rows, panels);
        if (!scan_group(task, group, cached, view, variance)) return std::nullopt;
        fill_row_statistics(group, view);
        task.clock.lap(attention_stage::softmax);
        if (has_entries) {
            totals.remember(rows, std::as_const(group.queries).panels());
            finish_entries(task, group, view);
        } else {
            add_to_cells(task, group, view);
        }
        task.clock.lap(attention_stage::cells);
    }
    if (task.sample && content.logits) hide_unseen_cells(*task.sample, problem, cells, exact, view);
    view.sum_error = variance.two_standard_errors();
    view.stages = task.clock.times();
    return view;
}

}  // namespace

AttentionView attend_generally(const Problem& problem, const Viewport& asked, GeneralState& state,
                               const Cancel& cancel) {
    Viewport viewport = asked;
    if (asked.row_sampling == RowSampling::one_sum_per_cell) viewport.row_sampling = RowSampling::one_per_cell;
    const LogitOrigin origin = LogitOrigin::of(problem);
    const RowTotals& totals = state.totals.of(origin.scores);
    const bool needs_double = problem.lowered.bias_slope != 0 || !problem.lowered.damping.empty() ||
                              (totals.origin == origin && !totals.in_float);
    if (!needs_double) {
        state.release<double>();
        if (auto view = attend_in<float>(problem, viewport, state, cancel)) return *std::move(view);
    }
    state.release<float>();
    return *attend_in<double>(problem, viewport, state, cancel);
}

}  // namespace ropewalk::cpu
