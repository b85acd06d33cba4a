// Plots of curves, single or stacked, as used by many figures.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "app/figures/figure.h"
#include "app/figures/parts/marks/mark.h"
#include "core/numbers/numbers.h"

namespace ropewalk {

/// One curve, given by evenly spaced y (`values`) or by points.
struct Series {
    std::string label{};              // in the legend; none if empty
    bool is_named_elsewhere = false;  // in another plot, and therefore not in this one's legend
    SharedNumbers values{};
    double first = 0, step = 1;  // x of the values
    std::vector<Point> points{};
    Color color{};
    double width = Theme::curve_width;
    Dashes dash{};
    bool as_dots = false, as_bars = false;  // dots apply to points, bars to values
    bool has_markers = false;               // small dots on the line at its points
    std::vector<Color> colors{};            // one per bar; empty: `color`
    std::vector<double> spread{};           // one per point: half the height of the band; or empty
    std::string spread_label{};             // in the legend
    bool is_named_first = false;            // in the legend, though drawn last, on top of the others
    int pin = -1;                           // index of a pinned curve, whose name a click removes; −1: not pinned
    bool is_compared = false;  // also draw the same series of the reference and of the state before the drag
    enum class Of { current, reference, ghost } of = Of::current;

    /// Returns its name in this plot's legend; empty if it has none.
    std::string name_here() const { return is_named_elsewhere ? "" : label; }
};

struct CurvePlot {
    Axis x{}, y{};  // if y.low ≥ y.high, the range follows from the series
    std::vector<Series> series{};
    std::vector<Mark> marks{};
    double cursor_x = nan;  // NaN: the cursor's place on the axis, if the axis shows a part of it
    std::string message{};  // shown instead of curves
    double share = 1;       // of the height of stacked plots
    Zoom zoom{};            // the shown ranges of the axes
};

/// Returns the series broad and pale, so that it stays visible on both sides of a thin line that coincides with it.
Series beneath(Series series, const Theme& theme);
inline constexpr double thin_line = 1.25;

/// Returns points from x and y, which have the same size.
std::vector<Point> points_of(const std::vector<double>& x, const std::vector<double>& y);

/// Draws stacked plots with common left and right edges, each below its legend; plots that are too small to read are
/// dropped from the bottom. Plots with the same x axis share one set of labels. Returns the frame of the last plot,
/// with the others in `above`; its `outer` covers all of them except the topmost legend.
Frame draw_curves(const std::vector<CurvePlot>& plots, const FigureInput& input, Canvas& canvas, const Rect& rect);

/// Draws a sentence, wrapped and centred, in place of a figure that has nothing to draw, whose frame it returns.
Frame draw_message(const std::string& sentence, const Rect& rect, Canvas& canvas, const Theme& theme);

}  // namespace ropewalk
