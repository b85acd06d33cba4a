// Numbers in the cells of a matrix, where those are large enough.
#pragma once

#include "app/plot/axes.h"
#include "app/plot/colormap.h"
#include "app/plot/theme.h"
#include "core/attention/attention.h"
#include "core/evaluation/evaluate.h"

namespace ropewalk {

/// Whether every entry has a cell of its own, in which its number can be read.
bool has_room_for_values(const Viewport& viewport, const Frame& frame);

/// With as many digits as fit, three at most, in what is seen of the cell, in black or white; of a logarithmic scale
/// their logarithms.
void draw_cell_values(const HeatMap& map, const Viewport& viewport, const Frame& frame, Canvas& canvas,
                      const Theme& theme);

/// A frame around the cursor's cell, whose lines would cross numbers.
void draw_cell_frame(const Cursor& cursor, const Frame& frame, Canvas& canvas);

}  // namespace ropewalk
