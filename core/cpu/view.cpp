#include "core/cpu/view.h"

#include <algorithm>
#include <limits>

namespace ropewalk::cpu {

AttentionView empty_view(const Problem& problem, const Viewport& viewport) {
    ensure_valid(problem, viewport);
    AttentionView view{.viewport = viewport,
                       .logits = {},
                       .weights = {},
                       .row_index = {},
                       .row_greatest_logit = {},
                       .row_log_sum = {}};
    for (PooledGrid* grid : {&view.logits, &view.weights}) {
        const std::size_t cells = static_cast<std::size_t>(viewport.cells_down) * viewport.cells_across;
        grid->rows = viewport.cells_down;
        grid->columns = viewport.cells_across;
        grid->mean.resize(cells);
        if (viewport.is_one_to_one()) continue;
        grid->least.resize(cells);
        grid->greatest.resize(cells);
    }
    const bool all_rows = viewport.row_sampling == RowSampling::all;
    view.row_index.reserve(static_cast<std::size_t>(all_rows ? viewport.rows.size() : viewport.cells_down));
    for (int cell = 0; cell < viewport.cells_down; ++cell) {
        const Interval rows = viewport.computed_rows(cell);
        for (int row = rows.begin; row < rows.end; ++row) view.row_index.push_back(row);
    }
    view.row_greatest_logit.resize(view.row_index.size());
    view.row_log_sum.resize(view.row_index.size());
    return view;
}

CellGeometry::CellGeometry(const Viewport& viewport) {
    fewest_rows = narrowest = std::numeric_limits<int>::max();
    first_row.push_back(0);
    for (int cell = 0; cell < viewport.cells_down; ++cell) {
        rows.push_back(viewport.computed_rows(cell));
        first_row.push_back(first_row.back() + rows.back().size());
        most_rows = std::max(most_rows, rows.back().size());
        fewest_rows = std::min(fewest_rows, rows.back().size());
    }
    for (int cell = 0; cell < viewport.cells_across; ++cell) {
        columns.push_back(viewport.cell_columns(cell));
        widest = std::max(widest, columns.back().size());
        narrowest = std::min(narrowest, columns.back().size());
    }
}

int CellGeometry::cell_of(int listed) const {
    return static_cast<int>(std::upper_bound(first_row.begin(), first_row.end(), listed) - first_row.begin()) - 1;
}

int CellGeometry::visible_cells(const Problem& problem, int last_row) const {
    const int visible = problem.visible_keys(last_row);
    const auto first_hidden =
        std::partition_point(columns.begin(), columns.end(), [&](Interval cell) { return cell.begin < visible; });
    return static_cast<int>(first_hidden - columns.begin());
}

std::int64_t unmasked_entries(Mask mask, Interval rows, Interval columns) {
    if (mask == Mask::none) return std::int64_t{rows.size()} * columns.size();
    // Σ over rows i of the columns j ≤ i, as a difference of triangles.
    const auto triangle = [](std::int64_t side) { return side > 0 ? side * (side + 1) / 2 : 0; };
    const auto up_to = [&](int column) {
        return triangle(std::int64_t{rows.end} - column) - triangle(std::int64_t{rows.begin} - column);
    };
    return up_to(columns.begin) - up_to(columns.end);
}

void finish_means(const Problem& problem, const CellGeometry& cells, int down, AttentionView& view) {
    for (int across = 0; across < view.viewport.cells_across; ++across) {
        const std::size_t at = static_cast<std::size_t>(down) * view.viewport.cells_across + across;
        const Interval rows = cells.rows[down], columns = cells.columns[across];
        const std::int64_t count = unmasked_entries(problem.mask, rows, columns);
        if (count == 0) {
            view.logits.mean[at] = view.logits.least[at] = view.logits.greatest[at] =
                -std::numeric_limits<double>::infinity();
            continue;
        }
        // Sums round where single entries do not: a mean stays between the extremes.
        const double entries = static_cast<double>(rows.size()) * columns.size();
        view.logits.mean[at] = std::clamp(view.logits.mean[at] / static_cast<double>(count), view.logits.least[at],
                                          view.logits.greatest[at]);
        view.weights.mean[at] =
            std::clamp(view.weights.mean[at] / entries, view.weights.least[at], view.weights.greatest[at]);
    }
}

}  // namespace ropewalk::cpu
