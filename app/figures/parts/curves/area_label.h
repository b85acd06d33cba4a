// What the line and the area of a dense curve show, in words.
#pragma once

#include <functional>
#include <span>

#include "app/plot/axes.h"

namespace ropewalk {

inline constexpr double min_labelled_area = 0.1;  // of a curve's pixel columns
/// Says at the upper or lower edge of the plot that lines are means and areas ranges, as `draw_curve` draws dense
/// curves. Reports it as omitted if no place is free of `taken` places and of what `hidden_by` counts.
void draw_area_label(std::span<const Rect> taken, const std::function<std::size_t(const Rect&)>& hidden_by,
                     const Frame& frame, Canvas& canvas, const Theme& theme);

}  // namespace ropewalk
