// What stands inside a frame: curves, bands, points, rules, legends. All are cut to the frame's plot area.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "app/plot/axes.h"
#include "app/plot/curve.h"

namespace ropewalk {

/// Draws a curve at any length: where several samples share a pixel column, their least and greatest value are joined
/// by a vertical stroke (an envelope), so that no peak is lost and nothing aliases; otherwise, and where the first and
/// the last of them are the extremes, a line through the samples.
void draw_curve(const Curve& curve, const Stroke& stroke, const Frame& frame, Canvas& canvas);

/// The same of one among several, none of which may hide the others: where samples that share a pixel column go up and
/// down, a line through their means, and a pale area from the least to the greatest of them. All areas are drawn before
/// any line.
enum class CurvePart { area, line };
void draw_curve_among(const Curve& curve, CurvePart part, const Stroke& stroke, const Frame& frame, Canvas& canvas);
/// From the least to the greatest of the samples in the pixel column of x, where the line goes through their means:
/// what a point among them stands on.
void draw_column_of_area(const Curve& curve, double x, const Stroke& stroke, const Frame& frame, Canvas& canvas);
/// Whether there is any such area, but for single columns that a line covers.
bool has_area(const Curve& curve, const Frame& frame);
inline constexpr double area_alpha = 0.25;

/// A line through points in data coordinates, wherever they stand; NaN interrupts it.
void draw_path(std::span<const Point> points, const Stroke& stroke, const Frame& frame, Canvas& canvas);

/// The band between `low` and `high` (same x), pooled a pixel column at a time: least of low to greatest of high.
void draw_band(const Curve& low, const Curve& high, Color color, const Frame& frame, Canvas& canvas);
/// The same between points of the same x, wherever they stand; none is NaN.
void draw_band(std::span<const Point> low, std::span<const Point> high, Color color, const Frame& frame,
               Canvas& canvas);

/// Bars from y = 0, centred on x = first + i · step, of this fraction of the step, or all of it where they are narrow.
void draw_bars(const Curve& bars, double width_fraction, Color positive, Color negative, const Frame& frame,
               Canvas& canvas);

/// Whether each bar is wide enough to be seen by itself; where it is not, a line shows more.
bool has_room_for_bars(const Curve& bars, const Frame& frame);
/// What bars of other values than those that are drawn would reach: their outline, without gaps between them; where
/// bars have no room, a curve.
void draw_steps(const Curve& bars, const Stroke& stroke, const Frame& frame, Canvas& canvas);

/// Points close together, without the halo that sets single ones off.
void draw_dots(std::span<const Point> points, double radius, Color color, const Frame& frame, Canvas& canvas);

void draw_point(Point data, double radius, Color color, const Frame& frame, Canvas& canvas, const Theme& theme);
/// Dashed lines across the plot at an x or y value; nothing if it lies outside.
void draw_vertical_rule(double x, const Frame& frame, Canvas& canvas, const Stroke& stroke);
void draw_horizontal_rule(double y, const Frame& frame, Canvas& canvas, const Stroke& stroke);
/// The line at y = 0; none where it would stand so close above the axis that the two looked like one that is blurred.
void draw_zero_line(const Frame& frame, Canvas& canvas, const Theme& theme);
/// The heat map over the whole plot area.
void draw_heat_map(const HeatMap& map, const Frame& frame, Canvas& canvas);

struct LegendEntry {
    std::string label;
    Color color;
    bool band = false;
    Dashes dash{};  // as the line's
    bool dots = false;
    int chip = -1;  // which of the frame's chips it is, if a click takes what it names out of the figure
};
/// What a legend above it leaves of `rect` for a plot: all but its rows, as many as leave the plot room for its labels,
/// and a gap.
Rect below_legend(std::span<const LegendEntry> entries, const Rect& rect, const Canvas& canvas, const Theme& theme);
/// The legend, entry after entry, at the top of `rect` above what `below_legend` left; where some find no room, how
/// many. Where each one stands, of those that found room.
std::vector<Rect> draw_legend(std::span<const LegendEntry> entries, const Rect& rect, const Rect& plot, Canvas& canvas,
                              const Theme& theme);

/// A small rounded label with a background, for badges and read-outs in a figure; kept inside `bounds`.
void draw_chip(Point anchor, std::span<const std::string> lines, const Rect& bounds, Canvas& canvas,
               const Theme& theme);

}  // namespace ropewalk
