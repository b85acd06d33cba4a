// What both ways of computing a viewport share: the empty view and the cells' geometry.
#pragma once

#include <vector>

#include "core/attention.h"

namespace ropewalk::cpu {

/// Grids of the viewport's size, all zero, and the list of rows to compute with room for their statistics.
AttentionView empty_view(const Problem& problem, const Viewport& viewport);

/// A viewport's cells as boundaries in one list a direction.
struct CellGeometry {
    explicit CellGeometry(const Viewport& viewport);

    std::vector<Interval> rows;     // [cells_down], the computed rows of each
    std::vector<int> first_row;     // [cells_down + 1], index of each cell's first computed row in `row_index`
    std::vector<Interval> columns;  // [cells_across]
    int most_rows = 0, fewest_rows = 0;
    int widest = 0, narrowest = 0;  // columns

    /// Cells that have a visible entry in rows up to `last_row`: a leading range.
    int visible_cells(const Problem& problem, int last_row) const;
};

/// Unmasked entries of rows × columns.
std::int64_t unmasked_entries(Mask mask, Interval rows, Interval columns);

}  // namespace ropewalk::cpu
