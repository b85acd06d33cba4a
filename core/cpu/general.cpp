#include "core/cpu/general.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "core/cpu/key_sample.h"
#include "core/cpu/log_weights.h"
#include "core/cpu/parallel.h"
#include "core/cpu/query_panels.h"
#include "core/cpu/rotated_rows.h"
#include "core/cpu/row_scan.h"
#include "core/cpu/vector_math.h"
#include "core/cpu/view.h"
#include "core/numbers.h"

namespace ropewalk::cpu {
namespace {

constexpr std::size_t most_cell_bytes = std::size_t{32} << 20;  // of queries and their cells, at a time
constexpr int task_panels = 4;             // panels that share one reading of a stretch of keys, at most
constexpr int task_keys = 64 * key_group;  // keys between two looks at whether the work is still wanted
static_assert(task_keys % drawn_keys == 0);
constexpr int task_cells = 64;  // columns of cells that are pooled together

/// What the steps of one call share.
template <class T>
struct GeneralTask {
    const Problem& problem;
    const CellGeometry& cells;
    ScanSettings<T> settings;
    Workspace& workspace;
    const Cancel& cancel;
    const std::optional<KeySample> sample;  // nothing where all keys are looked at
};

template <class T>
ScanSettings<T> settings_for(const Problem& problem, std::span<const int> boundaries) {
    ScanSettings<T> settings{.head_dim = problem.head_dim(), .mask = problem.mask, .boundaries = boundaries};
    settings.factor = static_cast<T>(problem.logit_factor());
    settings.bias_per_token = static_cast<T>(problem.bias_per_token());
    if (problem.lowered.far) settings.far_tokens = far_tokens(problem);
    return settings;
}

/// How many statistics cells need.
int statistics_for(const CellContent& content) {
    if (content.logits && content.mean) return all_statistics;
    if (content.least) return least + 1;
    return content.greatest ? greatest + 1 : shift + 1;
}

template <class T>
bool fits(const GeneralTask<T>& task, double query_length, double key_length) {
    return std::is_same_v<T, double> || fits_float(query_length, key_length, task.problem.logit_factor());
}

/// Listed rows whose statistics are held together.
template <class T>
struct RowGroup {
    Interval listed;  // range of row_index
    QueryPanels<T> queries;
};

/// Takes out of a panel the logits of the keys that it has just seen, into what is to hold logits or weights.
template <class T>
void take_entries(const KeyRange<T>& keys, std::size_t panel, const RowGroup<T>& group, AttentionView& view) {
    const Interval columns = view.viewport.columns;
    const int begin = std::max(keys.begin, columns.begin), end = std::min(keys.end, columns.end);
    std::vector<double>& entries = view.viewport.content.logits ? view.logits.mean : view.weights.mean;
    if (begin >= end || entries.empty()) return;
    const int width = panel_rows<T>(), first = static_cast<int>(panel) * width;
    const T* const seen = group.queries.panels()[panel].cells;
    for (int lane = 0; lane < std::min(width, group.listed.size() - first); ++lane) {
        double* const row = entries.data() + std::ptrdiff_t{group.listed.begin + first + lane} * columns.size();
        for (int key = begin; key < end; ++key)
            row[key - columns.begin] = static_cast<double>(seen[std::ptrdiff_t{key - begin} * width + lane]);
    }
}

template <class T>
void finish_panels(const ScanSettings<T>& settings, std::span<QueryPanel<T>> panels, const Cancel& cancel) {
    tbb::parallel_for(std::size_t{0}, panels.size(), [&](std::size_t p) {
        cancel.check();
        finish(settings, panels[p]);
    });
}

/// Calls visit(first panel, last) for every few panels; the last ones see the most keys, so they come first.
template <class T, class Visit>
void for_each_task(std::span<QueryPanel<T>> panels, Visit visit) {
    const int count = static_cast<int>(panels.size());
    const int shared = std::clamp(count / core_count(), 1, task_panels);  // no core is to be left without
    const int tasks = (count + shared - 1) / shared;
    for_each_in_order(tasks, [&](int reversed) {
        const int first = (tasks - 1 - reversed) * shared;
        visit(static_cast<std::size_t>(first), static_cast<std::size_t>(std::min(first + shared, count)));
    });
}

/// Runs the group's first panels over all keys, or over their scores with them. False if float cannot hold the
/// products.
template <class T>
bool scan_all(const GeneralTask<T>& task, RowGroup<T>& group, std::span<QueryPanel<T>> panels, KeptInPrecision<T>& kept,
              AttentionView& view) {
    if (panels.empty()) return true;
    KeyStore<T>& keys = kept.keys;
    QueryPanels<T>& queries = group.queries;
    // With known denominators the keys outside the viewport need not be looked at.
    const bool has_totals = std::all_of(panels.begin(), panels.end(), [](const auto& p) { return p.has_totals; });
    const int first_key = has_totals ? task.settings.boundaries.front() / key_group * key_group : 0;
    const int keys_end = std::min(task.problem.visible_keys(panels.back().greatest_row),
                                  has_totals ? task.settings.boundaries.back() : task.problem.seq_len);
    const bool keeps_scores = panels.front().scores, has_scores = panels.front().has_scores;
    if (has_scores && !fits(task, queries.greatest_length(), kept.scores.greatest_key_length())) return false;
    for (int begin = first_key / keys.stretch() * keys.stretch(); begin < keys_end; begin += keys.stretch()) {
        KeyRange<T> stretch{.begin = begin, .end = begin + keys.stretch()};
        if (!has_scores) {
            stretch = keys.load(begin, task.cancel);
            queries.damp(task.problem, begin, task.cancel);
            if (!fits(task, queries.greatest_length(), keys.greatest_length())) return false;
        }
        for_each_task(panels, [&](std::size_t first, std::size_t last) {
            const int own_end = std::min(stretch.end, keys_end);
            for (int key = std::max(stretch.begin, first_key); key < own_end; key += task_keys) {
                task.cancel.check();
                const std::ptrdiff_t offset = std::ptrdiff_t{key - stretch.begin} * task.settings.head_dim;
                const KeyRange<T> part{.begin = key,
                                       .end = std::min(key + task_keys, own_end),
                                       .near = stretch.near ? stretch.near + offset : nullptr,
                                       .far = stretch.far ? stretch.far + offset : nullptr};
                for (std::size_t p = first; p < last; ++p) {
                    scan(task.settings, part, panels[p]);
                    if (task.settings.keeps_entries) take_entries(part, p, group, view);
                }
            }
        });
    }
    if (keeps_scores && !has_scores) kept.scores.keep(keys.greatest_length());
    finish_panels(task.settings, panels, task.cancel);
    return true;
}

/// Runs the group's last panels over the keys that were drawn. False if float cannot hold the products.
template <class T>
bool scan_drawn(const GeneralTask<T>& task, const RowGroup<T>& group, std::span<QueryPanel<T>> panels,
                KeyStore<T>& keys, const KeySample& sample) {
    if (panels.empty()) return true;
    const std::vector<int> groups = sample.groups_before(task.problem.visible_keys(panels.back().greatest_row));
    const T* const drawn = keys.load_some(groups, task.cancel);
    if (!fits(task, group.queries.greatest_length(), keys.greatest_length())) return false;
    ScanSettings<T> settings = task.settings;
    settings.keys_per_drawn = sample.keys_per_drawn;
    const int keys_end = static_cast<int>(groups.size()) * key_group;
    for_each_task(panels, [&](std::size_t first, std::size_t last) {
        for (int begin = 0; begin < keys_end; begin += task_keys) {
            task.cancel.check();
            for (std::size_t p = first; p < last; ++p) {
                const int own_end = sample.keys_before(task.problem.visible_keys(panels[p].greatest_row));
                scan(settings,
                     {.begin = begin,
                      .end = std::min(begin + task_keys, own_end),
                      .near = drawn + std::ptrdiff_t{begin} * settings.head_dim,
                      .runs = sample.runs.data()},
                     panels[p]);
            }
        }
    });
    finish_panels(settings, panels, task.cancel);
    for (QueryPanel<T>& panel : panels) weigh_begun_cells(sample, settings, panel);
    return true;
}

/// Runs the group's panels over the keys they are to see. False if float cannot hold the products.
template <class T>
bool scan_group(const GeneralTask<T>& task, RowGroup<T>& group, KeptInPrecision<T>& kept, AttentionView& view,
                SumVariance& variance) {
    const std::span<QueryPanel<T>> panels = group.queries.panels();
    if (!task.sample) return scan_all(task, group, panels, kept, view);
    const auto first_drawn = std::partition_point(
        panels.begin(), panels.end(), [&](const auto& panel) { return panel.least_row < task.sample->exact_rows; });
    const auto exact = panels.first(static_cast<std::size_t>(first_drawn - panels.begin()));
    const auto drawn = panels.subspan(exact.size());
    if (!scan_all(task, group, exact, kept, view) || !scan_drawn(task, group, drawn, kept.keys, *task.sample))
        return false;
    const int width = panel_rows<T>();
    std::vector<SumVariance> of_panel(drawn.size());
    tbb::parallel_for(std::size_t{0}, drawn.size(), [&](std::size_t p) {
        const int first = static_cast<int>(exact.size() + p) * width;
        of_panel[p] = sum_variance(*task.sample, task.settings, drawn[p], std::min(width, group.listed.size() - first));
    });
    for (const SumVariance& panel : of_panel) variance.add(panel);
    return true;
}

/// Writes the greatest logit and the log-sum-exp of the group's rows.
template <class T>
void fill_row_statistics(RowGroup<T>& group, AttentionView& view) {
    const int width = panel_rows<T>();
    for (int index = 0; index < group.listed.size(); ++index) {
        const QueryPanel<T>& panel = group.queries.panels()[index / width];
        const T greatest_logit = panel.greatest_logit[index % width];
        view.row_greatest_logit[group.listed.begin + index] = static_cast<double>(greatest_logit);
        // No weight is above 1, whatever is rounded.
        view.row_log_sum[group.listed.begin + index] = std::max(
            reference(greatest_logit) + std::log(panel.sum[index % width]), static_cast<double>(greatest_logit));
    }
}

template <class T>
LogWeights log_weights_of(const RowGroup<T>& group, int listed, const AttentionView& view) {
    const int place = listed - group.listed.begin, width = panel_rows<T>();
    return {view.row_greatest_logit[listed], view.row_log_sum[listed],
            group.queries.panels()[place / width].sum[place % width]};
}

/// One entry a cell: makes weights of the group's logits.
template <class T>
void finish_entries(const GeneralTask<T>& task, const RowGroup<T>& group, AttentionView& view) {
    const Interval columns = view.viewport.columns;
    tbb::parallel_for(group.listed.begin, group.listed.end, [&](int listed) {
        task.cancel.check();
        const auto visible = static_cast<std::size_t>(
            std::clamp(task.problem.visible_keys(view.row_index[listed]), columns.begin, columns.end) - columns.begin);
        const auto row = [&](std::vector<double>& values) {
            return std::span(values).subspan(static_cast<std::size_t>(listed) * columns.size(), columns.size());
        };
        if (view.viewport.content.weights && !view.weights.mean.empty()) {
            const auto weights = row(view.weights.mean);
            const auto logits = view.viewport.content.logits ? row(view.logits.mean) : weights;
            log_weights_of(group, listed, view).make_weights(logits.first(visible), weights.data());
            std::fill(weights.begin() + static_cast<std::ptrdiff_t>(visible), weights.end(), 0);
        }
        if (view.viewport.content.logits && !view.logits.mean.empty()) {
            const auto logits = row(view.logits.mean);
            std::fill(logits.begin() + static_cast<std::ptrdiff_t>(visible), logits.end(), -infinity);
        }
    });
}

/// After the last row of these cells: makes weights of extremes that were logarithms, and means of sums.
void finish_cells(const Problem& problem, const CellGeometry& cells, int down, Interval across, AttentionView& view) {
    const std::size_t begin = static_cast<std::size_t>(down) * view.viewport.cells_across + across.begin;
    for (std::vector<double>* logarithms : {&view.weights.least, &view.weights.greatest})
        if (!logarithms->empty())
            exp_minus({logarithms->data() + begin, static_cast<std::size_t>(across.size())}, 0,
                      logarithms->data() + begin);
    finish_means(problem, cells, down, across, view);
}

/// Adds the group's rows to their cells, in order, and finishes those cells whose last row is among them.
template <class T>
void add_to_cells(const GeneralTask<T>& task, const RowGroup<T>& group, AttentionView& view) {
    const CellGeometry& cells = task.cells;
    const Interval row_cells{cells.cell_of(group.listed.begin), cells.cell_of(group.listed.end - 1) + 1};
    const int cells_across = view.viewport.cells_across, parts = (cells_across + task_cells - 1) / task_cells;
    const int width = panel_rows<T>(), first_cell = task.sample ? task.sample->first_cell : 0;
    // Rows of a panel stand side by side, so they are taken after one another.
    tbb::parallel_for(0, row_cells.size() * parts, [&](int cell_part) {
        task.cancel.check();
        const int down = row_cells.begin + cell_part % row_cells.size(), part = cell_part / row_cells.size();
        const Interval across{part * task_cells, std::min(cells_across, (part + 1) * task_cells)};
        const int begin = std::max(cells.first_row[down], group.listed.begin);
        const int end = std::min(cells.first_row[down + 1], group.listed.end);
        for (int listed = begin; listed < end; ++listed) {
            const int row = view.row_index[listed], visible = task.problem.visible_keys(row);
            const int seen = std::min(across.end, cells.visible_cells(task.problem, row));
            const LogWeights log_weights = log_weights_of(group, listed, view);
            const int place = listed - group.listed.begin;
            const T* const of_row = group.queries.panels()[place / width].cells + place % width;
            const std::ptrdiff_t apart = task.settings.place(1, exp_sum, width);
            // fold(cell's value so far, the row's) for every cell of which the row sees a key
            const auto fold = [&](Statistic which, std::vector<double>& grid, auto&& combine) {
                if (grid.empty()) return;
                const T* from = of_row + task.settings.place(first_cell + across.begin, which, width);
                double* const values = grid.data() + static_cast<std::size_t>(down) * cells_across;
                for (int cell = across.begin; cell < seen; ++cell, from += apart)
                    values[cell] = combine(values[cell], static_cast<double>(*from));
            };
            fold(logit_sum, view.logits.mean, [](double sum, double value) { return sum + value; });
            fold(least, view.logits.least, [](double a, double b) { return std::min(a, b); });
            fold(greatest, view.logits.greatest, [](double a, double b) { return std::max(a, b); });
            fold(exp_sum, view.weights.mean, [](double sum, double value) { return sum + value; });
            fold(least, view.weights.least, [&](double a, double b) { return std::min(a, log_weights.of(b)); });
            fold(greatest, view.weights.greatest, [&](double a, double b) { return std::max(a, log_weights.of(b)); });
            if (view.weights.least.empty()) continue;
            for (int cell = across.begin; cell < across.end; ++cell)
                if (visible < cells.columns[cell].end)
                    view.weights.least[static_cast<std::size_t>(down) * cells_across + cell] = -infinity;
        }
        if (cells.first_row[down + 1] <= group.listed.end) finish_cells(task.problem, cells, down, across, view);
    });
}

/// Sets extremes to what any entry replaces.
void start_cells(AttentionView& view) {
    for (PooledGrid* grid : {&view.logits, &view.weights}) {
        std::fill(grid->least.begin(), grid->least.end(), infinity);
        std::fill(grid->greatest.begin(), grid->greatest.end(), -infinity);
    }
}

/// Listed rows of which all keys are looked at: the first so many, to the end of the last panel that has an exact row.
template <class T>
int exact_count(const GeneralTask<T>& task, const AttentionView& view) {
    const std::vector<int>& rows = view.row_index;
    const int all = static_cast<int>(rows.size()), width = panel_rows<T>();
    if (!task.sample) return all;
    const auto exact = std::lower_bound(rows.begin(), rows.end(), task.sample->exact_rows) - rows.begin();
    return std::min(all, (static_cast<int>(exact) + width - 1) / width * width);
}

template <class T>
KeptInPrecision<T>& kept_in(GeneralState& state) {
    std::optional<KeptInPrecision<T>>* kept = nullptr;
    if constexpr (std::is_same_v<T, float>)
        kept = &state.floats;
    else
        kept = &state.doubles;
    return *kept ? **kept : kept->emplace();
}

/// The view with scores in T; nothing if float cannot hold them.
template <class T>
std::optional<AttentionView> attend_in(const Problem& problem, const Viewport& viewport, GeneralState& state,
                                       const Cancel& cancel) {
    Workspace& workspace = state.workspace;
    KeptInPrecision<T>& kept = kept_in<T>(state);
    AttentionView view = empty_view(problem, viewport);
    make_room_for_statistics(view);
    const CellGeometry cells(viewport);
    auto sample = draws_keys(problem, viewport) ? std::optional(draw_keys(problem, cells)) : std::nullopt;
    const std::vector<int> boundaries = sample ? sample->boundaries : cells.boundaries();
    GeneralTask<T> task{problem, cells, settings_for<T>(problem, boundaries), workspace, cancel, std::move(sample)};
    const CellContent& content = viewport.content;
    // Cells of one entry need no statistics; only their mean is made then.
    const bool has_entries =
        viewport.is_one_to_one() || (viewport.shows_entries() && content.mean && !content.least && !content.greatest);
    task.settings.keeps_entries = has_entries;
    task.settings.statistics = has_entries ? shift + 1 : statistics_for(content);

    const int exact = exact_count(task, view);
    kept.keys.prepare(problem, exact > 0 ? problem.visible_keys(view.row_index[exact - 1]) : 1);
    const int numbers = has_entries ? task_keys : task.settings.statistics * task.settings.cells();
    const int unit = task_panels * panel_rows<T>();
    const std::size_t unit_bytes = sizeof(T) * unit * (static_cast<std::size_t>(numbers) + 2 * problem.head_dim());
    const int group_rows = static_cast<int>(std::clamp<std::size_t>(most_cell_bytes / unit_bytes, 1, 1024)) * unit;
    start_cells(view);
    RowTotals& totals = state.totals.of(ScoreOrigin::of(problem));
    totals.prepare<T>(problem);
    SumVariance variance;
    const int all_rows = static_cast<int>(view.row_index.size());
    for (int begin = 0; begin < all_rows; begin += group_rows) {
        const Interval listed{begin, std::min(begin + group_rows, all_rows)};
        const std::span rows(view.row_index.data() + begin, static_cast<std::size_t>(listed.size()));
        RowGroup<T> group{.listed = listed,
                          .queries = QueryPanels<T>({problem, workspace, cancel, state.queries}, rows, numbers)};
        const std::span<QueryPanel<T>> panels = group.queries.panels();
        // Cells of several entries are summed in another order: other bits.
        if (has_entries) totals.recall(rows, panels);
        // A single panel is soon scanned again, and would drive out what is kept of a figure.
        if (panels.size() > 1 && listed.size() == all_rows && !task.sample && !panels.front().has_totals)
            kept.scores.lend(problem, rows, panels);
        if (!scan_group(task, group, kept, view, variance)) return std::nullopt;
        fill_row_statistics(group, view);
        if (has_entries) {
            totals.remember(rows, std::as_const(group.queries).panels());
            finish_entries(task, group, view);
        } else {
            add_to_cells(task, group, view);
        }
    }
    if (task.sample && content.logits) hide_unseen_cells(*task.sample, problem, cells, exact, view);
    view.sum_error = variance.two_standard_errors();
    return view;
}

}  // namespace

AttentionView attend_generally(const Problem& problem, const Viewport& viewport, GeneralState& state,
                               const Cancel& cancel) {
    const LogitOrigin origin = LogitOrigin::of(problem);
    const RowTotals& totals = state.totals.of(origin.scores);
    const bool needs_double = problem.lowered.bias_slope != 0 || !problem.lowered.damping.empty() ||
                              (totals.origin == origin && !totals.in_float);
    if (!needs_double) {
        state.doubles.reset();
        if (auto view = attend_in<float>(problem, viewport, state, cancel)) return *std::move(view);
    }
    state.floats.reset();
    return *attend_in<double>(problem, viewport, state, cancel);
}

}  // namespace ropewalk::cpu
