// What both ways of computing a viewport share: the cells' geometry.
#pragma once

#include <tbb/blocked_range2d.h>
#include <tbb/parallel_for.h>

#include <vector>

#include "core/attention/attention.h"
#include "core/cancel.h"

namespace ropewalk::cpu {

/// A viewport's cells as boundaries in one list a direction.
struct CellGeometry {
    explicit CellGeometry(const Viewport& viewport);

    std::vector<Interval> rows;     // [cells_down], the shown rows of each
    std::vector<int> first_row;     // [cells_down + 1], index of each cell's first computed row in `row_index`
    std::vector<Interval> columns;  // [cells_across]
    int most_rows = 0, fewest_rows = 0;
    bool has_one_sum_each = false;  // one computed row a cell
    int widest = 0, narrowest = 0;  // columns

    /// [cells_across + 1], first columns of the cells and the end of the last.
    std::vector<int> boundaries() const;
    /// The row cell of a place in `row_index`.
    int cell_of(int listed) const;
    /// Cells that have a visible entry in rows up to `last_row`: a leading range.
    int visible_cells(const Problem& problem, int last_row) const;
};

/// Turns the sum in `mean` of one cell into a mean over `count` entries, which stays between the cell's extremes where
/// these are kept.
void finish_mean(PooledGrid& grid, std::size_t at, double count);

/// Turns the sums over some cells of one row of cells, in `mean`, into means. Cells without an unmasked entry get
/// logits of −∞.
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

/// The least and the greatest distance in rows × columns, in tokens.
inline std::int64_t nearest(Interval rows, Interval columns) {
    return std::int64_t{rows.begin} - columns.end + 1;
}
inline std::int64_t farthest(Interval rows, Interval columns) {
    return std::int64_t{rows.end} - 1 - columns.begin;
}

/// Unmasked entries of rows × columns.
std::int64_t unmasked_entries(Mask mask, Interval rows, Interval columns);

}  // namespace ropewalk::cpu
