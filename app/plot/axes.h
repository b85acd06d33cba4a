// Axes: mapping from data to pixels, ticks that fit, and the frame of a plot with margins from measured labels.
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

/// What the whole numbers on an axis are, if they are part of the cursor that all figures share.
enum class Along { nothing, distance, pair, query, key };

/// One axis. `low` is at the left (or at the bottom; at the top if `downwards`). low > high is not allowed; a
/// logarithmic axis requires low > 0.
struct Axis {
    std::string title{};
    std::string brief{};  // a shorter title, used where `title` does not fit
    double low = 0, high = 1;
    AxisScale scale = AxisScale::linear;
    bool downwards = false;  // vertical axes only: values grow downwards, like matrix rows
    bool whole = false;      // labels only whole numbers (tokens, pairs)
    std::shared_ptr<const std::vector<std::string>> names{};  // labels of 0, 1, …, used if all of them fit
    Along along = Along::nothing;

    /// Returns 0 at `low`, 1 at `high`, ½ everywhere if these are equal; NaN where the logarithm does not exist.
    double fraction(double value) const;
    double value(double fraction) const;
    bool contains(double value) const { return value >= low && value <= high; }
    bool operator==(const Axis&) const = default;
};

// Numbers in text: below a billion in full, with groups of three from five digits; above that, and far below 1, with a
// power of ten. Axes are shorter if one of their numbers would have groups and all are round: 0, 5k, 10k, but 0, 500,
// 1000.

/// Returns as many ticks as fit at least `spacing` pixels apart on `length` pixels. Linear axes use 1-2-5 steps.
/// Logarithmic axes use powers of ten, with 2 and 5 if these fit and minor ticks at the other multiples, or 1-2-5 steps
/// if they span too little. Labels have one common format: 0.25, 10 005, 20k, 10⁹, −3×10⁻⁴, with a true minus sign.
/// Returns none if the axis is not finite, is empty or has no positive length.
std::vector<Tick> ticks(const Axis& axis, double length, double spacing);

/// Returns a power of ten as on an axis: 0.01, 1000, 10k, 10⁹.
std::string power_of_ten(int exponent);

/// Returns a number for a readout: `digits` significant digits and at least all before the point, a true minus sign,
/// ×10ⁿ with superscripts from a billion, ∞.
std::string readable(double value, int digits = 4);
/// Returns a number with its unit: 1 token, 2 tokens, 0.25, 50%.
std::string readable(double value, std::string_view unit);
std::string superscript(int exponent);

/// A colour bar beside the plot. An end is pointed if some values are beyond it.
struct ColorBar {
    HeatMap map{};  // only its scale is used
    std::string title{};
    bool some_below = false, some_above = false;
    std::shared_ptr<const ColorBar> in_turn{};  // the bar that can replace it; its labels fit, too
};

struct PlotOptions {
    Axis x, y;
    std::optional<Axis> whole_x{}, whole_y{};  // what `x` and `y` are a part of, if they are zoomed
    std::optional<ColorBar> color_bar{};
    bool square_cells = false;  // reduce the plot area to width = height (matrices), centred horizontally
    bool x_labels = true;       // false: a plot below has the same x axis with labels
    bool grid = true;           // true: horizontal lines at the ticks; false: an outline
};

/// Step, in pixels, of the size of square plots and of the number of cells in others. Without it, a label that grows by
/// one digit would change all cells.
constexpr double square_step = 8;

/// Where a click zooms to a mark at `x`.
struct MarkPlace {
    Rect rect;
    double x = 0;
    std::string name{};  // of the mark; may be empty
};

/// The measured place of a plot and of everything around it that fits. Maps between data and pixels.
struct Frame {
    Rect outer, plot;                          // the plot area has integer coordinates; its outline is just outside
    Axis x, y;                                 // with titles as long as fit, and without names if these do not fit
    std::optional<Axis> whole_x{}, whole_y{};  // as in the options
    Rotation x_label_rotation = Rotation::none;
    std::optional<Rect> color_bar{};  // without its pointed ends
    std::string color_bar_title{};    // as long as fits
    std::vector<Tick> x_ticks{}, y_ticks{}, color_bar_ticks{};
    std::vector<Rect> places{};      // of what a pointer can pick, such as tokens, in the figure's own order
    std::vector<Rect> chips{};       // places of entries that a click removes; empty where they do not fit
    std::vector<MarkPlace> marks{};  // on the horizontal axis
    bool has_areas = false;          // with dense curves whose line and area need an explanation
    std::vector<Frame> above{};      // the plots above this one, from the top

    bool empty() const { return plot.width <= 0 || plot.height <= 0; }
    Point to_pixels(double x_value, double y_value) const;
    double x_at(double pixel) const;
    double y_at(double pixel) const;
};

/// The most labels of an axis.
inline constexpr int most_labels = 7;

/// Measures the labels and gives the rest of `outer` to the plot. Never returns a negative size. If height is short, it
/// drops first the title below the plot, then the labels below. If width is short, it drops the titles beside the plot,
/// then the colour bar and the labels beside it; in the end everything.
Frame layout(const PlotOptions& options, const Canvas& canvas, const Rect& outer, const Theme& theme);

/// Draws background and grid; call before drawing the data.
void draw_background(const PlotOptions& options, const Frame& frame, Canvas& canvas, const Theme& theme);
/// Draws outline, ticks, labels and colour bar; call after drawing the data.
void draw_axes(const PlotOptions& options, const Frame& frame, Canvas& canvas, const Theme& theme);

}  // namespace ropewalk
