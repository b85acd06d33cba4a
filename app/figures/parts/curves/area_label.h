// What the line and the area of a dense curve show, in words.
#pragma once

#include <functional>
#include <span>

#include "app/plot/axes.h"

namespace ropewalk {

/// Says in a corner of the plot that lines are means and areas ranges, as `draw_curve` draws dense curves. Reports it as
/// omitted if no corner is free of `taken` places and of what `hidden_by` counts.
void draw_area_label(std::span<const Rect> taken, const std::function<std::size_t(const Rect&)>& hidden_by,
                     const Frame& frame, Canvas& canvas, const Theme& theme);

}  // namespace ropewalk
