// Drawing inside a frame: curves, bands, points, lines, legends. All are clipped to the frame's plot area.
#pragma once

#include <limits>
#include <span>
#include <string>
#include <vector>

#include "app/plot/axes.h"
#include "app/plot/curve.h"

namespace ropewalk {

/// What to draw of a curve. If no curve may hide another, draw all areas before any line.
enum class CurvePart { all, area, line };
/// Draws a curve of any length. Where the samples of a pixel column go up and down, it draws a line through their means
/// and a pale area with edges from their exact minimum to their maximum, of this column and up to `area_window` columns
/// on either side; a single such column is the peak of a smooth curve and gets a stroke over its range. Elsewhere it
/// draws a line through the samples. A curve with an area is never dashed.
void draw_curve(const Curve& curve, const Stroke& stroke, const Frame& frame, Canvas& canvas,
                CurvePart part = CurvePart::all);
inline constexpr double area_alpha = 0.22;

/// Draws a line through points in data coordinates; NaN interrupts it.
void draw_path(std::span<const Point> points, const Stroke& stroke, const Frame& frame, Canvas& canvas);

/// Draws the band between `low` and `high` (same x), per pixel column from the minimum of `low` to the maximum of
/// `high`.
void draw_band(const Curve& low, const Curve& high, Color color, const Frame& frame, Canvas& canvas);
/// Draws the band between points of the same x; none may be NaN.
void draw_band(std::span<const Point> low, std::span<const Point> high, Color color, const Frame& frame,
               Canvas& canvas);

/// Draws bars from y = 0, centred on x = first + i · step. Their width is this fraction of the step; narrow bars leave
/// a gap of at least one pixel.
void draw_bars(const Curve& bars, double width_fraction, Color positive, Color negative, const Frame& frame,
               Canvas& canvas);

/// Returns whether each bar is wide enough to be visible on its own; if not, a line shows more.
bool has_room_for_bars(const Curve& bars, const Frame& frame);
/// Draws the outline that bars of these values would have, without gaps; a curve if bars do not fit.
void draw_steps(const Curve& bars, const Stroke& stroke, const Frame& frame, Canvas& canvas);

/// Draws points close together, without the halo that `draw_point` gives to single ones.
void draw_dots(std::span<const Point> points, double radius, Color color, const Frame& frame, Canvas& canvas);

inline constexpr double point_radius = 5;  // of a single point, logical pixels
void draw_point(Point data, double radius, Color color, const Frame& frame, Canvas& canvas, const Theme& theme);
/// Draw a line across the plot at an x or y value; nothing if it is outside.
void draw_vertical_rule(double x, const Frame& frame, Canvas& canvas, const Stroke& stroke);
void draw_horizontal_rule(double y, const Frame& frame, Canvas& canvas, const Stroke& stroke);
inline constexpr double cursor_band = 8;  // width of the band that marks the cursor, logical pixels
/// Draws the soft band that marks the cursor's x; nothing if it is outside.
void draw_cursor_band(double x, const Frame& frame, Canvas& canvas, const Theme& theme);
/// Draws a heat map over the whole plot area.
void draw_heat_map(const HeatMap& map, const Frame& frame, Canvas& canvas);

struct LegendEntry {
    std::string label;
    Color color;
    bool band = false;
    Dashes dash{};                      // same as the line's
    double width = Theme::curve_width;  // same as the line's, shown on paper
    bool dots = false;
    bool is_faint = false;                                  // the line's colour is too pale for text
    double end = std::numeric_limits<double>::quiet_NaN();  // y at the right end of its line; NaN: not a line
    int chip = -1;  // index in the frame's chips if a click removes what it names; −1: none
};
/// Returns y at the right end of a curve, averaged over its last points; NaN if it is empty.
double end_of(const Curve& curve, double last_x = infinity);
/// Returns the part of `rect` that remains for a plot beside or below its legend. If all entries have an end, and
/// `rect` is wide, the labels are beside the ends. Otherwise the legend is above, with as many rows as leave room for
/// the plot and its labels.
Rect without_legend(std::span<const LegendEntry> entries, const Rect& rect, const Canvas& canvas, const Theme& theme);
/// Draws the legend of the plot in `frame`, for which `room` remained of `rect`, with the number of entries that do not
/// fit. Returns the rectangles of those that fit.
std::vector<Rect> draw_legend(std::span<const LegendEntry> entries, const Rect& rect, const Rect& room,
                              const Frame& frame, Canvas& canvas, const Theme& theme);

}  // namespace ropewalk
