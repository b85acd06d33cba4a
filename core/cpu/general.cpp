#include "core/cpu/general.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "core/cpu/rotated_rows.h"
#include "core/cpu/row_scan.h"
#include "core/cpu/vector_math.h"
#include "core/cpu/view.h"

namespace ropewalk::cpu {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr std::size_t most_cell_bytes = std::size_t{32} << 20;  // of statistics of rows in cells, held at a time
constexpr int task_panels = 2;                                  // panels that share one reading of a stretch of keys
constexpr int task_keys = 64 * key_group;  // keys between two looks at whether the work is still wanted
constexpr int task_cells = 64;             // columns of cells that are pooled together

/// What the steps of one call share.
template <class T>
struct GeneralTask {
    const Problem& problem;
    const CellGeometry& cells;
    ScanSettings<T> settings;
    Workspace& workspace;
    const Cancel& cancel;
};

template <class T>
ScanSettings<T> settings_for(const Problem& problem, std::span<const int> boundaries) {
    ScanSettings<T> settings{.head_dim = problem.head_dim(), .mask = problem.mask, .boundaries = boundaries};
    settings.bias_per_token =
        static_cast<T>(problem.lowered.bias_slope * problem.positions.stride / problem.temperature);
    if (problem.lowered.far) settings.far_tokens = far_tokens(problem);
    return settings;
}

/// Listed rows whose statistics are held together.
template <class T>
struct RowGroup {
    Interval listed;  // range of row_index
    QueryPanels<T> queries;
};

/// Runs the group's panels over all keys. False if float cannot hold the products.
template <class T>
bool scan_group(const GeneralTask<T>& task, QueryPanels<T>& queries, KeyStore<T>& keys) {
    const std::span<QueryPanel<T>> panels = queries.panels();
    int last_row = 0;
    for (const QueryPanel<T>& panel : panels) last_row = std::max(last_row, panel.greatest_row);
    const int tasks = (static_cast<int>(panels.size()) + task_panels - 1) / task_panels;
    for (int begin = 0; begin < task.problem.visible_keys(last_row); begin += keys.stretch()) {
        const KeyRange<T> stretch = keys.load(begin, task.cancel);
        queries.damp({task.problem, task.workspace, task.cancel}, begin);
        if (std::is_same_v<T, float> && !fits_float(queries.greatest_length(), keys.greatest_length())) return false;
        // The last panels see the most keys, so they come first.
        tbb::parallel_for(0, tasks, [&](int reversed) {
            const std::size_t first = static_cast<std::size_t>(tasks - 1 - reversed) * task_panels;
            const auto own = panels.subspan(first, std::min<std::size_t>(task_panels, panels.size() - first));
            for (int key = stretch.begin; key < stretch.end; key += task_keys) {
                task.cancel.check();
                const std::ptrdiff_t offset = std::ptrdiff_t{key - stretch.begin} * task.settings.head_dim;
                const KeyRange<T> part{.begin = key,
                                       .end = std::min(key + task_keys, stretch.end),
                                       .near = stretch.near + offset,
                                       .far = stretch.far ? stretch.far + offset : nullptr};
                for (QueryPanel<T>& panel : own) scan(task.settings, part, panel);
            }
        });
    }
    tbb::parallel_for(std::size_t{0}, panels.size(), [&](std::size_t p) {
        task.cancel.check();
        finish(task.settings, panels[p]);
    });
    return true;
}

/// Writes the greatest logit and the log-sum-exp of the group's rows.
template <class T>
void fill_row_statistics(RowGroup<T>& group, AttentionView& view) {
    const int width = panel_rows<T>();
    for (int index = 0; index < group.listed.size(); ++index) {
        const QueryPanel<T>& panel = group.queries.panels()[index / width];
        const double greatest_logit = static_cast<double>(panel.greatest_logit[index % width]);
        view.row_greatest_logit[group.listed.begin + index] = greatest_logit;
        view.row_log_sum[group.listed.begin + index] = greatest_logit + std::log(panel.sum[index % width]);
    }
}

/// One entry a cell: logits as they are, weights from them.
template <class T>
void store_entries(const GeneralTask<T>& task, const RowGroup<T>& group, AttentionView& view) {
    const Interval columns = view.viewport.columns;
    tbb::parallel_for(0, group.listed.size(), [&](int index) {
        task.cancel.check();
        const int listed = group.listed.begin + index;
        const int visible =
            std::clamp(task.problem.visible_keys(view.row_index[listed]), columns.begin, columns.end) - columns.begin;
        const std::span logits(view.logits.mean.data() + std::ptrdiff_t{listed} * columns.size(),
                               static_cast<std::size_t>(columns.size()));
        for (int cell = 0; cell < visible; ++cell)
            logits[cell] = static_cast<double>(group.queries.at(index, cell, logit_sum));
        std::fill(logits.begin() + visible, logits.end(), -infinity);
        exp_minus(logits, view.row_log_sum[listed], view.weights.mean.data() + std::ptrdiff_t{listed} * columns.size());
    });
}

/// Adds the group's rows to their cells, in order. Until `finish_cells`, means are sums and extremes of weights
/// logarithms.
template <class T>
void add_to_cells(const GeneralTask<T>& task, const RowGroup<T>& group, AttentionView& view) {
    const CellGeometry& cells = task.cells;
    const Interval row_cells{cells.cell_of(group.listed.begin), cells.cell_of(group.listed.end - 1) + 1};
    const int cells_across = view.viewport.cells_across, parts = (cells_across + task_cells - 1) / task_cells;
    tbb::parallel_for(0, row_cells.size() * parts, [&](int cell_part) {
        task.cancel.check();
        const int down = row_cells.begin + cell_part / parts, part = cell_part % parts;
        const int begin = std::max(cells.first_row[down], group.listed.begin);
        const int end = std::min(cells.first_row[down + 1], group.listed.end);
        for (int listed = begin; listed < end; ++listed) {
            const int visible = task.problem.visible_keys(view.row_index[listed]);
            const int index = listed - group.listed.begin;
            const double log_sum = view.row_log_sum[listed];
            for (int across = part * task_cells; across < std::min(cells_across, (part + 1) * task_cells); ++across) {
                const std::size_t at = static_cast<std::size_t>(down) * cells_across + across;
                const Interval columns = cells.columns[across];
                if (visible < columns.end) view.weights.least[at] = -infinity;
                if (visible <= columns.begin) continue;
                const auto statistic = [&](Statistic which) {
                    return static_cast<double>(group.queries.at(index, across, which));
                };
                view.logits.mean[at] += statistic(logit_sum);
                view.logits.least[at] = std::min(view.logits.least[at], statistic(least));
                view.logits.greatest[at] = std::max(view.logits.greatest[at], statistic(greatest));
                view.weights.mean[at] += statistic(exp_sum);
                view.weights.least[at] = std::min(view.weights.least[at], statistic(least) - log_sum);
                view.weights.greatest[at] = std::max(view.weights.greatest[at], statistic(greatest) - log_sum);
            }
        }
    });
}

void start_cells(AttentionView& view) {
    for (PooledGrid* grid : {&view.logits, &view.weights}) {
        std::fill(grid->least.begin(), grid->least.end(), infinity);
        std::fill(grid->greatest.begin(), grid->greatest.end(), -infinity);
    }
}

template <class T>
void finish_cells(const GeneralTask<T>& task, AttentionView& view) {
    const int cells_across = view.viewport.cells_across;
    tbb::parallel_for(0, view.viewport.cells_down, [&](int down) {
        task.cancel.check();
        const std::size_t begin = static_cast<std::size_t>(down) * cells_across;
        for (std::vector<double>* logarithms : {&view.weights.least, &view.weights.greatest})
            exp_minus({logarithms->data() + begin, static_cast<std::size_t>(cells_across)}, 0,
                      logarithms->data() + begin);
        finish_means(task.problem, task.cells, down, view);
    });
}

/// The view with scores in T; nothing if float cannot hold them.
template <class T>
std::optional<AttentionView> attend_in(const Problem& problem, const Viewport& viewport, Workspace& workspace,
                                       const Cancel& cancel) {
    AttentionView view = empty_view(problem, viewport);
    const CellGeometry cells(viewport);
    std::vector<int> boundaries{viewport.columns.begin};
    for (const Interval& columns : cells.columns) boundaries.push_back(columns.end);
    const GeneralTask<T> task{problem, cells, settings_for<T>(problem, boundaries), workspace, cancel};

    KeyStore<T> keys(problem, problem.visible_keys(view.row_index.back()), workspace);
    const int unit = task_panels * panel_rows<T>();
    const std::size_t unit_bytes = sizeof(T) * statistics * unit * viewport.cells_across;
    const int group_rows = static_cast<int>(std::clamp<std::size_t>(most_cell_bytes / unit_bytes, 1, 1024)) * unit;
    start_cells(view);
    const int all_rows = static_cast<int>(view.row_index.size());
    for (int begin = 0; begin < all_rows; begin += group_rows) {
        const Interval listed{begin, std::min(begin + group_rows, all_rows)};
        const std::span rows(view.row_index.data() + begin, static_cast<std::size_t>(listed.size()));
        RowGroup<T> group{.listed = listed,
                          .queries = QueryPanels<T>({problem, workspace, cancel}, query_factor(problem), rows,
                                                    viewport.cells_across)};
        if (!scan_group(task, group.queries, keys)) return std::nullopt;
        fill_row_statistics(group, view);
        if (viewport.is_one_to_one())
            store_entries(task, group, view);
        else
            add_to_cells(task, group, view);
    }
    if (!viewport.is_one_to_one()) finish_cells(task, view);
    return view;
}

}  // namespace

AttentionView attend_generally(const Problem& problem, const Viewport& viewport, Workspace& workspace,
                               const Cancel& cancel) {
    if (problem.lowered.bias_slope == 0 && problem.lowered.damping.empty())
        if (auto view = attend_in<float>(problem, viewport, workspace, cancel)) return *std::move(view);
    return *attend_in<double>(problem, viewport, workspace, cancel);
}

}  // namespace ropewalk::cpu
