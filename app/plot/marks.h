// Drawing inside a frame: curves, bands, points, lines, legends. All are clipped to the frame's plot area.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "app/plot/axes.h"
#include "app/plot/curve.h"

namespace ropewalk {

/// Draws a curve of any length. Where several samples share a pixel column, a vertical stroke joins their minimum and
/// maximum (an envelope), so that no peak is lost and nothing aliases. Elsewhere, and where the first and last sample
/// are the extremes, it draws a line through the samples.
void draw_curve(const Curve& curve, const Stroke& stroke, const Frame& frame, Canvas& canvas);

/// Draws one of several curves of which none may hide another. Where the samples of a pixel column go up and down, it
/// draws a line through their means and a pale area from their minimum to their maximum. Draw all areas before any
/// line.
enum class CurvePart { area, line };
void draw_curve_among(const Curve& curve, CurvePart part, const Stroke& stroke, const Frame& frame, Canvas& canvas);
/// Draws a stroke from the minimum to the maximum of the samples in the pixel column of x, where the line goes through
/// their means. It connects a point of the curve to that line.
void draw_column_of_area(const Curve& curve, double x, const Stroke& stroke, const Frame& frame, Canvas& canvas);
/// Returns whether a curve has such an area, apart from single columns that its line covers.
bool has_area(const Curve& curve, const Frame& frame);
inline constexpr double area_alpha = 0.25;

/// Draws a line through points in data coordinates; NaN interrupts it.
void draw_path(std::span<const Point> points, const Stroke& stroke, const Frame& frame, Canvas& canvas);

/// Draws the band between `low` and `high` (same x), per pixel column from the minimum of `low` to the maximum of
/// `high`.
void draw_band(const Curve& low, const Curve& high, Color color, const Frame& frame, Canvas& canvas);
/// Draws the band between points of the same x; none may be NaN.
void draw_band(std::span<const Point> low, std::span<const Point> high, Color color, const Frame& frame,
               Canvas& canvas);

/// Draws bars from y = 0, centred on x = first + i · step. Their width is this fraction of the step, or all of it if
/// they are narrow.
void draw_bars(const Curve& bars, double width_fraction, Color positive, Color negative, const Frame& frame,
               Canvas& canvas);

/// Returns whether each bar is wide enough to be visible on its own; if not, a line shows more.
bool has_room_for_bars(const Curve& bars, const Frame& frame);
/// Draws the outline that bars of these values would have, without gaps; a curve if bars do not fit.
void draw_steps(const Curve& bars, const Stroke& stroke, const Frame& frame, Canvas& canvas);

/// Draws points close together, without the halo that `draw_point` gives to single ones.
void draw_dots(std::span<const Point> points, double radius, Color color, const Frame& frame, Canvas& canvas);

void draw_point(Point data, double radius, Color color, const Frame& frame, Canvas& canvas, const Theme& theme);
/// Draw a line across the plot at an x or y value; nothing if it is outside.
void draw_vertical_rule(double x, const Frame& frame, Canvas& canvas, const Stroke& stroke);
void draw_horizontal_rule(double y, const Frame& frame, Canvas& canvas, const Stroke& stroke);
/// Draws the line at y = 0, unless it is so close to the axis that the two would look like one blurred line.
void draw_zero_line(const Frame& frame, Canvas& canvas, const Theme& theme);
/// Draws a heat map over the whole plot area.
void draw_heat_map(const HeatMap& map, const Frame& frame, Canvas& canvas);

struct LegendEntry {
    std::string label;
    Color color;
    bool band = false;
    Dashes dash{};  // same as the line's
    bool dots = false;
    int chip = -1;  // index in the frame's chips if a click removes what it names; −1: none
};
/// Returns the part of `rect` that remains for a plot below its legend. The legend has as many rows as leave room for
/// the plot and its labels.
Rect below_legend(std::span<const LegendEntry> entries, const Rect& rect, const Canvas& canvas, const Theme& theme);
/// Draws the legend at the top of `rect`, above `below_legend`, with the number of entries that do not fit. Returns the
/// rectangles of those that fit.
std::vector<Rect> draw_legend(std::span<const LegendEntry> entries, const Rect& rect, const Rect& plot, Canvas& canvas,
                              const Theme& theme);

/// Draws a small rounded label with a background inside `bounds`.
void draw_chip(Point anchor, const std::string& text, const Rect& bounds, Canvas& canvas, const Theme& theme);

}  // namespace ropewalk
