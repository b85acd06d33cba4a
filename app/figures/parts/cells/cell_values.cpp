#include "app/figures/parts/cells/cell_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "app/figures/figure.h"

namespace ropewalk {
namespace {

constexpr double min_width = 40, min_height = 16;
constexpr int most_digits = 3;
constexpr double around_number = 4;  // of a number in its cell, both sides together
constexpr auto about_zero_text = "≈0";

/// Returns the value with at most `digits` significant digits, in scientific notation if needed.
std::string shortened(double value, int digits) {
    std::string text = fmt::format("{:.{}g}", std::abs(value), digits);
    if (const std::size_t e = text.find('e'); e != std::string::npos)
        text = text.substr(0, e) + "×10" + superscript(std::stoi(text.substr(e + 1)));
    return value < 0 ? "−" + text : text;
}

/// Returns the width with every digit as wide as 0, so that neighbouring cells have the same number of digits.
double width_of(std::string text, double size, const Canvas& canvas) {
    for (char& c : text)
        if (c >= '1' && c <= '9') c = '0';
    return canvas.measure(text, size, Weight::regular).width;
}

/// Returns the value as text that fits, or an empty text if not even one digit does.
std::string printed_within(double width, double value, double size, const Canvas& canvas) {
    for (int digits = most_digits; digits > 0; --digits)
        for (std::string text : {readable(value, digits), shortened(value, digits)})
            if (width_of(text, size, canvas) <= width) return text;
    return {};
}

double printed_value(const HeatMap& map, int row, int column) {
    const double value = (*map.values)[static_cast<std::size_t>(row) * map.columns + column];
    return map.scale.logarithmic ? std::log10(value) : value;
}

/// Returns the power of ten below which magnitudes are printed as about 0, because some of them do not fit into a cell
/// of this width; 0 if all numbers fit. Returns nullopt if that would hide more than a hundredth of the largest one.
std::optional<double> printed_as_zero_below(const HeatMap& map, double width, double size, const Canvas& canvas) {
    double below = 0, max = 0;
    for (int row = 0; row < map.rows; ++row)
        for (int column = map.visible_in(row).begin; column < map.visible_in(row).end; ++column) {
            const double value = printed_value(map, row, column), magnitude = std::abs(value);
            if (!std::isfinite(value)) continue;
            max = std::max(max, magnitude);
            if (magnitude >= below && printed_within(width, value, size, canvas).empty())
                below = std::pow(10, std::floor(std::log10(magnitude)) + 1);
        }
    return below <= max / 100 ? std::optional(below) : std::nullopt;
}

/// Returns the part of a cell that is inside the plot.
Rect visible_part(double column, double row, const Frame& frame) {
    const Rect& plot = frame.plot;
    const Point low = frame.to_pixels(column - 0.5, row - 0.5), high = frame.to_pixels(column + 0.5, row + 0.5);
    const double left = std::max(low.x, plot.x), top = std::max(low.y, plot.y);
    return {left, top, std::max(0.0, std::min(high.x, plot.right()) - left),
            std::max(0.0, std::min(high.y, plot.bottom()) - top)};
}

}  // namespace

bool has_room_for_values(const Viewport& viewport, const Frame& frame) {
    const Point origin = frame.to_pixels(0, 0), next = frame.to_pixels(1, 1);
    return viewport.is_one_to_one() && next.x - origin.x >= min_width && next.y - origin.y >= min_height;
}

void draw_cell_values(const HeatMap& map, const Viewport& viewport, const Frame& frame, Canvas& canvas,
                      const Theme& theme) {
    const double size = theme.tick_size - 1;
    const double cell_width = frame.to_pixels(1, 0).x - frame.to_pixels(0, 0).x;
    const auto about_zero = printed_as_zero_below(map, cell_width - around_number, size, canvas);
    if (!about_zero) return;
    for (int row = 0; row < map.rows; ++row)
        for (int column = map.visible_in(row).begin; column < map.visible_in(row).end; ++column) {
            const std::size_t at = static_cast<std::size_t>(row) * map.columns + column;
            const Rect seen = visible_part(viewport.columns.begin + column, viewport.rows.begin + row, frame);
            if (seen.height < size) continue;
            const Color cell = map.scale.color((*map.values)[at], theme.not_a_number);
            const bool is_dark = 0.299 * cell.r + 0.587 * cell.g + 0.114 * cell.b < 140;
            const double value = printed_value(map, row, column);
            const bool is_about_zero = std::abs(value) < *about_zero && value != 0;
            const double room = seen.width - around_number;
            const std::string text = !is_about_zero ? printed_within(room, value, size, canvas)
                                     : width_of(about_zero_text, size, canvas) <= room ? about_zero_text
                                                                                       : "";
            canvas.text(seen.centre(), text,
                        {.size = size,
                         .color = is_dark ? Color{255, 255, 255} : Color{20, 20, 24},
                         .across = Align::middle,
                         .down = Align::middle});
        }
}

void draw_cell_frame(const Cursor& cursor, const Frame& frame, Canvas& canvas) {
    const Point low = frame.to_pixels(cursor.key - 0.5, cursor.query - 0.5),
                high = frame.to_pixels(cursor.key + 0.5, cursor.query + 0.5);
    canvas.push_clip(frame.plot);
    const Rect cell = Rect{low.x, low.y, high.x - low.x, high.y - low.y}.inset(1);
    canvas.stroke_rect(cell, {.color = Color{20, 22, 28, 204}, .width = 4});
    canvas.stroke_rect(cell, {.color = Color{245, 247, 252}, .width = 2});
    canvas.pop_clip();
}

}  // namespace ropewalk
