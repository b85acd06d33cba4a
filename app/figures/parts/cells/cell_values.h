// Numbers in the cells of a matrix, if these are large enough.
#pragma once

#include "app/plot/axes.h"
#include "app/plot/colormap.h"
#include "app/plot/theme.h"
#include "core/attention/attention.h"
#include "core/evaluation/evaluate.h"

namespace ropewalk {

/// Returns whether every entry has its own cell, large enough for a number.
bool has_room_for_values(const Viewport& viewport, const Frame& frame);

/// Draws the number of each cell in its visible part, in black or white, with as many digits as fit, at most three. A
/// logarithmic scale shows logarithms. If some of the numbers do not fit into a whole cell, all that are as small are
/// printed as ≈0; if they are not small beside the largest one, no cell has a number.
void draw_cell_values(const HeatMap& map, const Viewport& viewport, const Frame& frame, Canvas& canvas,
                      const Theme& theme);

/// Draws a frame around the cursor's cell. It replaces the cursor's lines, which would cross numbers.
void draw_cell_frame(const Cursor& cursor, const Frame& frame, Canvas& canvas);

}  // namespace ropewalk
