// Names beside their lines inside a plot, as in journals.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "app/figures/parts/curves/curves.h"

namespace ropewalk {

/// A line with its name; without one, it only has to be kept clear.
struct NamedLine {
    std::string name;
    std::function<Extent(double column)> rows_at;  // pixel rows of the line at a pixel column; empty where it is not
};
NamedLine named_line(std::string name, const Curve& curve, const Frame& frame);
NamedLine named_line(std::string name, std::vector<Point> points, const Frame& frame);

/// Returns the plot's lines for names beside them, as on paper; none if not all named series are lines.
std::vector<NamedLine> named_lines(const CurvePlot& plot, const Frame& frame, const Theme& theme);

/// Returns the place of every name: beside its own line, where that is nearly level, and clear of all other lines and
/// names. Returns none if one does not fit.
std::vector<Rect> places_of_names(std::span<const NamedLine> lines, const Frame& frame, const Canvas& canvas,
                                  const Theme& theme);
void draw_line_names(std::span<const NamedLine> lines, std::span<const Rect> places, Canvas& canvas,
                     const Theme& theme);

}  // namespace ropewalk
