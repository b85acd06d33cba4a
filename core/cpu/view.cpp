#include "core/cpu/view.h"

#include <algorithm>
#include <limits>

#include "core/numbers/numbers.h"

namespace ropewalk::cpu {

CellGeometry::CellGeometry(const Viewport& viewport) {
    fewest_rows = narrowest = std::numeric_limits<int>::max();
    first_row.push_back(0);
    for (int cell = 0; cell < viewport.cells_down; ++cell) {
        rows.push_back(viewport.shown_rows(cell));
        first_row.push_back(first_row.back() + viewport.computed_rows(cell).size());
        most_rows = std::max(most_rows, rows.back().size());
        fewest_rows = std::min(fewest_rows, rows.back().size());
    }
    has_one_sum_each = first_row.back() == viewport.cells_down;
    for (int cell = 0; cell < viewport.cells_across; ++cell) {
        columns.push_back(viewport.cell_columns(cell));
        widest = std::max(widest, columns.back().size());
        narrowest = std::min(narrowest, columns.back().size());
    }
}

std::vector<int> CellGeometry::boundaries() const {
    std::vector<int> all{columns.front().begin};
    for (const Interval& cell : columns) all.push_back(cell.end);
    return all;
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
    // The number of columns j ≤ i over all rows i, as a difference of triangles.
    const auto triangle = [](std::int64_t side) { return side > 0 ? side * (side + 1) / 2 : 0; };
    const auto up_to = [&](int column) {
        return triangle(std::int64_t{rows.end} - column) - triangle(std::int64_t{rows.begin} - column);
    };
    return up_to(columns.begin) - up_to(columns.end);
}

void finish_mean(PooledGrid& grid, std::size_t at, double count) {
    if (grid.mean.empty()) return;
    double& mean = grid.mean[at];
    mean /= count;
    // A rounded sum may give a mean outside the extremes.
    if (!grid.max.empty()) mean = std::min(mean, grid.max[at]);
    if (!grid.min.empty()) mean = std::max(mean, grid.min[at]);
}

void finish_means(const Problem& problem, const CellGeometry& cells, int down, Interval all_across,
                  AttentionView& view) {
    const int visible = std::clamp(view.visible_cells[down], all_across.begin, all_across.end);
    const std::size_t begin = static_cast<std::size_t>(down) * view.viewport.cells_across;
    const Interval rows = cells.rows[down];
    if (!view.logits.mean.empty())
        for (int across = all_across.begin; across < visible; ++across)
            finish_mean(view.logits, begin + across,
                        static_cast<double>(unmasked_entries(problem.mask, rows, cells.columns[across])));
    if (!view.weights.mean.empty())
        for (int across = all_across.begin; across < visible; ++across)
            finish_mean(view.weights, begin + across, static_cast<double>(rows.size()) * cells.columns[across].size());
    for (Numbers* values : {&view.logits.mean, &view.logits.min, &view.logits.max})
        if (!values->empty())
            std::fill_n(values->begin() + static_cast<std::ptrdiff_t>(begin) + visible, all_across.end - visible,
                        -infinity);
}

}  // namespace ropewalk::cpu
