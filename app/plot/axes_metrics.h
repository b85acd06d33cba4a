// Distances between a plot, its ticks, labels and titles, in logical pixels, shared by layout() and draw_axes().
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "app/plot/axes.h"

namespace ropewalk {

constexpr double tick_length = 4, minor_tick_length = 2;
constexpr double label_gap = 4;  // from a tick to its label
constexpr double title_gap = 7;  // from the labels to the axis' title
constexpr double color_bar_gap = 14, color_bar_width = 12, color_bar_point = 9;

/// Distance from an edge of the plot to the labels beside it.
constexpr double label_offset = tick_length + label_gap;

/// Returns the distance from the outline to the middle of a vertical title beyond labels of this width.
inline double title_column(double label_width, const Theme& theme) {
    return label_offset + label_width + title_gap + theme.label_size / 2;
}

/// Returns the distance from the middle of an axis title to the end of its descenders.
inline double title_edge(const Theme& theme) {
    return theme.label_size * 0.75;
}

/// Returns the line height of a vertical title.
inline double title_line(const Theme& theme) {
    return std::ceil(theme.label_size * 1.25);
}

inline TextStyle tick_style(const Theme& theme) {
    return {.size = theme.tick_size, .color = theme.text_dim};
}
inline TextStyle axis_title_style(const Theme& theme) {
    return {.size = theme.label_size, .color = theme.text_dim, .across = Align::middle};
}

inline double widest_label(const std::vector<Tick>& ticks, const Canvas& canvas, const Theme& theme) {
    double width = 0;
    for (const Tick& tick : ticks)
        width = std::max(width, canvas.measure(tick.label, theme.tick_size, Weight::regular).width);
    return width;
}

/// Returns the lines of a vertical title: two if it is longer than `length` and both then fit, else one. Returns none
/// if it is empty.
inline std::vector<std::string> upright_lines(const std::string& title, double length, const Canvas& canvas,
                                              const Theme& theme) {
    if (title.empty()) return {};
    const auto width = [&](const std::string& text) {
        return canvas.measure(text, theme.label_size, Weight::regular).width;
    };
    std::vector<std::string> best{title};
    constexpr double min = 48;  // logical pixels
    if (width(title) <= std::max(length, min)) return best;
    double longest = length;
    for (std::size_t space = title.find(' '); space != std::string::npos; space = title.find(' ', space + 1)) {
        const std::string first = title.substr(0, space), second = title.substr(space + 1);
        if (const double longer = std::max(width(first), width(second)); longer <= longest)
            longest = longer, best = {first, second};
    }
    return best;
}

/// Returns the height of the labels below a plot.
inline double label_depth(const Frame& frame, const Canvas& canvas, const Theme& theme) {
    return frame.x_label_rotation == Rotation::none ? theme.tick_size : widest_label(frame.x_ticks, canvas, theme);
}

/// Returns the distance from the plot's lower edge to the middle of the title below labels of this height.
inline double title_row(double depth, const Theme& theme) {
    return label_offset + depth + title_gap + theme.label_size / 2;
}

/// Returns the axis of a colour bar, from its lower to its upper end.
inline Axis color_axis(const ColorScale& scale) {
    return {
        .low = scale.min, .high = scale.max, .scale = scale.logarithmic ? AxisScale::logarithmic : AxisScale::linear};
}

}  // namespace ropewalk
