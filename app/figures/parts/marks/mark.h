// Labelled lines across a plot that mark a value.
#pragma once

#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>

#include "app/figures/figure.h"

namespace ropewalk {

inline constexpr double dash_to_drag = 2;  // shorter than the dashes of any curve

/// A line across the plot with a label beside it.
struct Mark {
    enum class Way { across, up };
    Way way = Way::up;
    double at = 0;  // y of a horizontal line, x of a vertical one
    std::string label{};
    Color color{};
    Dashes dash = 5;
    bool grip = false;           // true: a knob at its upper or right end shows that it can be dragged
    bool spares_curves = false;  // its label is where it hides nothing, or with the names of curves beside the plot
};

/// Returns the line's pixel column (vertical) or row (horizontal), or nullopt outside the plot.
std::optional<double> place_of(const Mark& mark, const Frame& frame);

/// Returns the rectangle of its knob, if it has one. The knob is half outside the plot, so that it covers no curve.
std::optional<Rect> grip_of(const Mark& mark, const Frame& frame);

/// Draws the lines. Draw their labels last, with `draw_mark_names`.
void draw_mark_lines(std::span<const Mark> marks, const Frame& frame, Canvas& canvas);

/// Draws a plot with these marks, the cursor's line and what `draw_content` draws below them, but no labels of marks.
template <class DrawContent>
void draw_plot(const PlotOptions& options, const Frame& frame, std::span<const Mark> marks, const FigureInput& input,
               Canvas& canvas, DrawContent&& draw_content) {
    draw_background(options, frame, canvas, input.theme);
    draw_content();
    draw_mark_lines(marks, frame, canvas);
    const double cursor = cursor_on(options.x, input);
    if (input.cursor_shown && !std::isnan(cursor)) draw_cursor_band(cursor, frame, canvas, input.theme);
    draw_axes(options, frame, canvas, input.theme);
}

inline constexpr double column_width = 2;  // pixels
/// Return the pixel rows of a curve, or of a line through points, within a column of pixels; empty where it is not.
Extent rows_of(const Curve& curve, const Frame& frame, double column);
Extent rows_of(std::span<const Point> points, const Frame& frame, double column);

/// Return how many pieces of a curve a box would hide: columns of pixels, or lines from one point to the next; or how
/// many lines of marks other than `own`.
std::size_t count_in(const Rect& box, const Curve& curve, const Frame& frame);
std::size_t count_in(const Rect& box, std::span<const Point> points, const Frame& frame);
std::size_t count_in(const Rect& box, std::span<const Mark> marks, const Frame& frame, const Mark* own = nullptr);

/// Value of `hidden_by` for a box that no label may cover, and the weight of a covered line, in pieces of a curve.
inline constexpr std::size_t too_much = std::numeric_limits<std::size_t>::max(), line_hidden = 8;

/// Draws the labels, each beside its line where it covers no knob or other label and hides as little as possible, as
/// counted by `hidden_by`. Without `hidden_by`, the plot is a map, and labels have a background even on a transparent
/// page. A label that does not fit is omitted. Also draws the knobs of lines that can be dragged, and adds the places
/// of vertical marks to the frame. Returns the places of knobs and labels.
std::vector<Rect> draw_mark_names(std::span<const Mark> marks, const FigureInput& input, Frame& frame, Canvas& canvas,
                                  const std::function<std::size_t(const Rect&)>& hidden_by = {});

}  // namespace ropewalk
