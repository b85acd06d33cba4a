// Axes: from data to pixels, ticks that fit the room, and the frame around a plot with margins from measured labels.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/plot/canvas.h"
#include "app/plot/colormap.h"
#include "app/plot/theme.h"

namespace ropewalk {

enum class AxisScale { linear, logarithmic };
template <>
struct EnumText<AxisScale> {
    static constexpr std::array<EnumName, 2> names{{{"linear", "Linear"}, {"logarithmic", "Log"}}};
};

struct Tick {
    double value = 0;
    std::string label;  // empty for a minor tick

    bool operator==(const Tick&) const = default;
};

/// What one axis shows. `low` stands at the left (or at the bottom; at the top if `downwards`). low > high is not
/// allowed; a logarithmic axis needs low > 0.
struct Axis {
    std::string title{};
    std::string brief{};  // the title where that has no room, if it can be said in fewer words
    double low = 0, high = 1;
    AxisScale scale = AxisScale::linear;
    bool downwards = false;  // only of a vertical axis: values grow downwards, as matrix rows do
    bool whole = false;      // only whole numbers are labelled (tokens, pairs)
    std::shared_ptr<const std::vector<std::string>> names{};  // of 0, 1, …: the labels, where all of them find room

    /// 0 at `low`, 1 at `high`, ½ everywhere if these are equal; NaN where a logarithm does not exist.
    double fraction(double value) const;
    double value(double fraction) const;
    bool operator==(const Axis&) const = default;
};

// Numbers for people, everywhere: below a billion in full, those of five digits and more in groups of three; from there
// on, and far below 1, with a power of ten. Only axes are shorter, where one of their numbers would be in groups and
// all are round: 0, 5k, 10k, but 0, 500, 1000.

/// Ticks at 1-2-5 steps (linear) or at powers of ten, with 2 and 5 between where there is room and minor ticks at the
/// other whole multiples (logarithmic; 1-2-5 steps again where it spans too little for that): as many as stand at least
/// `spacing` pixels apart on `length` pixels. Labels use one common format: 0.25, 10 005, 20k, 10⁹, −3×10⁻⁴, with
/// a true minus sign. None if the axis is not finite, is empty or has no positive length.
std::vector<Tick> ticks(const Axis& axis, double length, double spacing);

/// As an axis has it: 0.01, 1000, 10k, 10⁹.
std::string power_of_ten(int exponent);

/// A number for a read-out: so many significant digits and at least those before the point, true minus, ×10ⁿ with
/// superscripts from a billion on, ∞.
std::string readable(double value, int digits = 4);
/// The same with its unit: 1 token, 2 tokens, 0.25, 50%.
std::string readable(double value, std::string_view unit);
std::string superscript(int exponent);

/// A colour bar beside the plot. An end that values lie beyond, which have its colour, is a point.
struct ColorBar {
    HeatMap map{};  // only its scale is used
    std::string title{};
    bool some_below = false, some_above = false;
    std::shared_ptr<const ColorBar> in_turn{};  // what stands in its place at times: its labels have room, too
};

struct PlotOptions {
    Axis x, y;
    std::string title{}, subtitle{};  // drawn inside the rect above the plot when not empty
    std::optional<ColorBar> color_bar{};
    bool square_cells = false;  // shrink the plot area to width = height (matrices), centred from left to right
    bool x_labels = true;       // false: a plot below with the same x axis has them
    bool grid = true;           // lines at the ticks, axes at the left and below; without: an outline all round
};

/// Pixels by which square plots grow, and the cells that are asked for in others, lest a label that gets longer by a
/// digit makes all cells anew.
constexpr double square_step = 8;

/// Where a plot stands, once measured, and what found room. Maps between data and pixels.
struct Frame {
    Rect outer, plot;  // the plot area has whole coordinates, its lines stand just outside it
    Axis x, y;         // with as much of their titles as has room, and without names where these have none
    Rotation x_label_rotation = Rotation::none;
    std::optional<Rect> color_bar{};  // without its points
    std::string color_bar_title{};    // as much of it as has room
    Rect heading{};                   // of title and subtitle
    std::vector<Tick> x_ticks{}, y_ticks{}, color_bar_ticks{};
    std::vector<Rect> chips{};   // of what a click takes out of the figure; empty where there was no room
    std::vector<Frame> above{};  // of the plots above this one in a figure of several, from the top

    bool empty() const { return plot.width <= 0 || plot.height <= 0; }
    Point to_pixels(double x_value, double y_value) const;
    double x_at(double pixel) const;
    double y_at(double pixel) const;
};

/// Measures labels and gives the plot the room that is left, to the very edges of `outer`. Never returns a negative
/// size: where height is short the title below the plot goes first, then the heading and the labels below; where width
/// is short the titles beside it, then the colour bar and the labels beside; in the end everything.
Frame layout(const PlotOptions& options, const Canvas& canvas, const Rect& outer, const Theme& theme);

/// Background, grid and title; call before the data.
void draw_background(const PlotOptions& options, const Frame& frame, Canvas& canvas, const Theme& theme);
/// Outline, ticks, labels and colour bar; call after the data.
void draw_axes(const PlotOptions& options, const Frame& frame, Canvas& canvas, const Theme& theme);

}  // namespace ropewalk
