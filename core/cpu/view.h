// The geometry of a viewport's cells, shared by all ways of computing it.
#pragma once

#include <tbb/blocked_range2d.h>
#include <tbb/parallel_for.h>

#include <vector>

#include "core/attention/attention.h"
#include "core/cancel.h"

namespace ropewalk::cpu {

/// A viewport's cells as lists of boundaries, one per direction.
struct CellGeometry {
    explicit CellGeometry(const Viewport& viewport);

    std::vector<Interval> rows;     // [cells_down], shown rows of each cell
    std::vector<int> first_row;     // [cells_down + 1], index of each cell's first computed row in `row_index`
    std::vector<Interval> columns;  // [cells_across]
    int most_rows = 0, fewest_rows = 0;
    bool has_one_sum_each = false;  // one computed row per cell
    int widest = 0, narrowest = 0;  // columns

    /// Returns the first columns of the cells and the end of the last, [cells_across + 1].
    std::vector<int> boundaries() const;
    /// Returns the row cell of an index into `row_index`.
    int cell_of(int listed) const;
    /// Returns the column cells with some of these keys.
    Interval seen_cells(Interval keys) const;
};

/// Divides the sum in `mean` of one cell by `count` and clamps the mean to the cell's extremes, if these are wanted.
void finish_mean(PooledGrid& grid, std::size_t at, double count);

/// Divides the sums in `mean` of some cells of one row of cells. Cells without an unmasked entry get logits of −∞.
void finish_means(const Problem& problem, const CellGeometry& cells, int down, Interval all_across,
                  AttentionView& view);

/// Calls visit(row cell, column cell) for every cell of row_cells × [0, column_cells), in parallel, in tiles of cells
/// that read nearly the same distances.
template <class Visit>
void for_each_cell(Interval row_cells, int column_cells, const Cancel& cancel, Visit visit) {
    const tbb::blocked_range2d<int> cells(row_cells.begin, row_cells.end, 4, 0, column_cells, 8);
    tbb::parallel_for(cells, [&](const tbb::blocked_range2d<int>& tile) {
        cancel.check();
        for (int down = tile.rows().begin(); down < tile.rows().end(); ++down)
            for (int across = tile.cols().begin(); across < tile.cols().end(); ++across) visit(down, across);
    });
}

/// Return the smallest and the largest distance in rows × columns, in tokens.
inline std::int64_t nearest(Interval rows, Interval columns) {
    return std::int64_t{rows.begin} - columns.end + 1;
}
inline std::int64_t farthest(Interval rows, Interval columns) {
    return std::int64_t{rows.end} - 1 - columns.begin;
}

/// Returns the number of unmasked entries of rows × columns.
std::int64_t unmasked_entries(const Problem& problem, Interval rows, Interval columns);

}  // namespace ropewalk::cpu
