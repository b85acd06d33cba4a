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

Interval CellGeometry::seen_cells(Interval keys) const {
    const auto cells_before = [&](auto&& is_before) {
        return static_cast<int>(std::partition_point(columns.begin(), columns.end(), is_before) - columns.begin());
    };
    return {cells_before([&](Interval cell) { return cell.end <= keys.begin; }),
            cells_before([&](Interval cell) { return cell.begin < keys.end; })};
}

std::int64_t unmasked_entries(const Problem& problem, Interval rows, Interval columns) {
    if (problem.mask == Mask::none) return std::int64_t{rows.size()} * columns.size();
    // The number of columns j ≤ i − before over all rows i, as a difference of triangles.
    const auto triangle = [](std::int64_t side) { return side > 0 ? side * (side + 1) / 2 : 0; };
    const auto from = [&](std::int64_t column) { return triangle(rows.end - column) - triangle(rows.begin - column); };
    const auto count = [&](std::int64_t before) { return from(columns.begin + before) - from(columns.end + before); };
    return count(0) - (problem.mask == Mask::window ? count(problem.window) : 0);
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
    const auto clamped = [&](int cell) { return std::clamp(cell, all_across.begin, all_across.end); };
    const Interval visible{clamped(view.visible_cells[down].begin), clamped(view.visible_cells[down].end)};
    const std::size_t begin = static_cast<std::size_t>(down) * view.viewport.cells_across;
    const Interval rows = cells.rows[down];
    if (!view.logits.mean.empty())
        for (int across = visible.begin; across < visible.end; ++across)
            finish_mean(view.logits, begin + across,
                        static_cast<double>(unmasked_entries(problem, rows, cells.columns[across])));
    if (!view.weights.mean.empty())
        for (int across = visible.begin; across < visible.end; ++across)
            finish_mean(view.weights, begin + across, static_cast<double>(rows.size()) * cells.columns[across].size());
    for (Numbers* values : {&view.logits.mean, &view.logits.min, &view.logits.max})
        if (!values->empty()) {
            const auto row = values->begin() + static_cast<std::ptrdiff_t>(begin);
            std::fill(row + all_across.begin, row + visible.begin, -infinity);
            std::fill(row + visible.end, row + all_across.end, -infinity);
        }
}

}  // namespace ropewalk::cpu
