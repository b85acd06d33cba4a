// Lines across a plot that name a value, and how they stand in it.
#pragma once

#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>

#include "app/figures/figure.h"

namespace ropewalk {

inline constexpr double dash_to_drag = 2;  // even and shorter than any curve's

/// A line across the plot with a name beside it.
struct Mark {
    enum class Way { across, up };
    Way way = Way::up;
    double at = 0;  // y where it goes across, x where it goes up
    std::string label{};
    Color color{};
    Dashes dash = 5;
    bool grip = false;  // a knob on the plot's edge, at its upper or right end, says that it may be dragged
};

/// Where the line stands: the pixel column where it goes up, the row where it goes across; nothing outside the plot.
std::optional<double> place_of(const Mark& mark, const Frame& frame);

/// Where its knob stands, if it has one: half outside the plot, where no curve is.
std::optional<Rect> grip_of(const Mark& mark, const Frame& frame);

/// The lines; what stands at them comes last, with `draw_mark_names`.
void draw_mark_lines(std::span<const Mark> marks, const Frame& frame, Canvas& canvas);

/// How many pieces of a curve a box would hide: of its columns of pixels, or of the lines from one point to the next.
std::size_t count_in(const Rect& box, const Curve& curve, const Frame& frame);
std::size_t count_in(const Rect& box, std::span<const Point> points, const Frame& frame);

/// What `hidden_by` says of a box that no name may hide.
inline constexpr std::size_t too_much = std::numeric_limits<std::size_t>::max();

/// Their names, each beside its line where it is free of knobs and other names and hides least of what `hidden_by`
/// counts in a box; without room it is left out. The knobs, where the lines can be dragged.
inline constexpr std::size_t line_hidden = 8;  // a line that a name lies on counts as so much of a curve
void draw_mark_names(std::span<const Mark> marks, const FigureInput& input, const Frame& frame, Canvas& canvas,
                     const std::function<std::size_t(const Rect&)>& hidden_by = {});

}  // namespace ropewalk
