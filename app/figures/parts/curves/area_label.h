// A label that says what the line and the area of a dense curve show.
#pragma once

#include <functional>
#include <span>

#include "app/plot/axes.h"

namespace ropewalk {

inline constexpr double min_labelled_area = 0.1;  // of a curve's pixel columns
/// Draws a label at the upper or lower edge of the plot: lines are means and areas ranges, as `draw_curve` draws dense
/// curves; on paper, the caption says so and the frame only notes it. Reports the label as omitted if each place
/// overlaps one of `taken` or hides what `hidden_by` counts.
void draw_area_label(std::span<const Rect> taken, const std::function<std::size_t(const Rect&)>& hidden_by,
                     Frame& frame, Canvas& canvas, const Theme& theme);

}  // namespace ropewalk
