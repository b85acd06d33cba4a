#include "app/plot/axes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/plot/axes_metrics.h"
#include "app/plot/math/math_text.h"

namespace ropewalk {
namespace {

double share(double value, double low, double high) {
    if (low == high) return 0.5;
    return (value / 2 - low / 2) / (high / 2 - low / 2);  // halves, because the difference may overflow
}

/// Returns the pixel that a line at this position fills; at the ends of the plot, that of the outline.
double pixel_of(double position, double first, double past_last) {
    if (position <= first + 0.5) return first - 1;
    if (position >= past_last - 0.5) return past_last;
    return std::floor(position);
}

double column_of(double x, const Frame& frame) {
    return pixel_of(frame.to_pixels(x, frame.y.low).x, frame.plot.x, frame.plot.right());
}

/// Returns whether the line at this value is that of zero: of a quantity, not of a count.
bool is_zero_line(double value, const Axis& axis) {
    return value == 0 && axis.scale == AxisScale::linear && !axis.whole;
}

double row_of(double y, const Frame& frame) {
    return pixel_of(frame.to_pixels(frame.x.low, y).y, frame.plot.y, frame.plot.bottom());
}

/// Draws horizontal lines at the labelled ticks, and a stronger one at zero.
void draw_grid(const Frame& frame, Canvas& canvas, const Theme& theme) {
    const Rect& plot = frame.plot;
    const auto draw_row = [&](double y, Color color) {
        canvas.fill_rect({plot.x, row_of(y, frame), plot.width, 1}, color);
    };
    for (const Tick& tick : frame.y_ticks)
        if (!tick.label.empty() && !is_zero_line(tick.value, frame.y)) draw_row(tick.value, theme.grid);
    if (frame.y.low <= 0 && frame.y.high >= 0 && is_zero_line(0, frame.y)) draw_row(0, theme.axis);
}

/// Draws a fine dotted line at zero.
void draw_zero_dots(const Frame& frame, Canvas& canvas, const Theme& theme) {
    if (!(frame.y.low < 0 && frame.y.high > 0) || !is_zero_line(0, frame.y)) return;
    const double row = row_of(0, frame) + 0.5;
    canvas.line({frame.plot.x, row}, {frame.plot.right(), row}, {.color = theme.axis, .width = 1, .dash = {1, 3}});
}

/// Draws lines at the left and below, and the ticks without label.
void draw_axis_lines(const PlotOptions& options, const Frame& frame, Canvas& canvas, const Theme& theme) {
    const Rect& plot = frame.plot;
    canvas.fill_rect({plot.x - 1, plot.y, 1, plot.height + 1}, theme.axis);
    canvas.fill_rect({plot.x - 1, plot.bottom(), plot.width + 1, 1}, theme.axis);
    for (const Tick& tick : frame.x_ticks)
        if (tick.label.empty() && options.x_labels)
            canvas.fill_rect({column_of(tick.value, frame), plot.bottom() + 1, 1, minor_tick_length}, theme.axis);
    for (const Tick& tick : frame.y_ticks)
        if (tick.label.empty())
            canvas.fill_rect({plot.x - 1 - minor_tick_length, row_of(tick.value, frame), minor_tick_length, 1},
                             theme.axis);
}

void draw_outline(const Rect& plot, Canvas& canvas, const Theme& theme) {
    canvas.stroke_rect(plot.inset(-0.5), {.color = theme.grid});
}

/// Names the title of an axis or bar in the list of omitted parts.
std::string title_in_words(const std::string& title) {
    return fmt::format("the title “{}”", without_math(title));
}

/// Reports names that gave way to numbers, unless there are more than the largest page has room for.
void report_omitted_names(const Axis& wanted, const Axis& shown, Canvas& canvas) {
    constexpr double most_names = 100;
    const bool has_names = wanted.names && wanted.low > -1 && wanted.high < static_cast<double>(wanted.names->size());
    if (has_names && !shown.names && wanted.high - wanted.low <= most_names)
        canvas.report_omitted("the names of the tokens");
}

/// Draws a horizontal title below the plot. It may be longer than the plot, but stays within the panel.
void draw_level_title(double y, const std::string& title, const Frame& frame, Canvas& canvas, const Theme& theme) {
    if (title.empty()) return;
    const TextStyle style = axis_title_style(theme);
    const double half = canvas.measure(title, style.size, style.weight).width / 2, first = frame.outer.x + half,
                 middle = std::clamp(frame.plot.centre().x, first, std::max(first, frame.outer.right() - half));
    canvas.text({middle, y}, title, style);
}

void draw_x_axis(const PlotOptions& options, const Frame& frame, Canvas& canvas, const Theme& theme) {
    if (!options.x_labels) return;
    const Rect& plot = frame.plot;
    TextStyle style = tick_style(theme);
    const bool upright = frame.x_label_rotation != Rotation::none;
    style.rotation = frame.x_label_rotation;
    style.across = upright ? Align::end : Align::middle;
    const double row = plot.bottom() + label_offset + (upright ? 0 : theme.tick_size / 2);
    for (const Tick& tick : frame.x_ticks) {
        if (tick.label.empty()) continue;
        const double column = column_of(tick.value, frame);
        canvas.fill_rect({column, plot.bottom() + 1, 1, tick_length}, theme.axis);
        canvas.text({column + 0.5, row}, tick.label, style);
    }
    report_omitted_names(options.x, frame.x, canvas);
    if (frame.x.title != options.x.title) canvas.report_omitted(title_in_words(options.x.title));
    draw_level_title(plot.bottom() + title_row(label_depth(frame, canvas, theme), theme), frame.x.title, frame, canvas,
                     theme);
}

enum class Side { left, right };  // side of a plot or a bar
/// Draws a vertical title. `x` is the middle of the line next to the labels.
void draw_upright_title(double x, Side side, const std::string& title, const Frame& frame, Canvas& canvas,
                        const Theme& theme) {
    TextStyle style = axis_title_style(theme);
    style.rotation = Rotation::quarter_left;
    const auto length_of = [&](const std::string& text) {
        return canvas.measure(text, style.size, style.weight).width;
    };
    const double top = frame.outer.y, room = frame.outer.height;
    const std::vector<std::string> lines = upright_lines(title, frame.plot.height, canvas, theme);
    const auto is_too_long = [&](const std::string& line) { return length_of(line) > room; };
    if (std::any_of(lines.begin(), lines.end(), is_too_long)) return canvas.report_omitted(title_in_words(title));
    const double line = title_line(theme);
    if (side == Side::left && lines.size() > 1) x -= line;
    for (const std::string& text : lines) {
        const double length = length_of(text);
        const double middle = std::clamp(frame.plot.centre().y, top + length / 2,
                                         std::max(top, frame.outer.bottom() - length) + length / 2);
        canvas.text({x, middle}, text, style);
        x += line;
    }
}

void draw_y_axis(const PlotOptions& options, const Frame& frame, Canvas& canvas, const Theme& theme) {
    report_omitted_names(options.y, frame.y, canvas);
    if (frame.y.title != options.y.title) canvas.report_omitted(title_in_words(options.y.title));
    const Rect& plot = frame.plot;
    TextStyle style = tick_style(theme);
    style.across = Align::end;
    for (const Tick& tick : frame.y_ticks) {
        if (tick.label.empty()) continue;
        const double row = row_of(tick.value, frame);
        if (!options.grid || theme.is_paper)
            canvas.fill_rect({plot.x - 1 - tick_length, row, tick_length, 1}, theme.axis);
        style.color = options.grid && is_zero_line(tick.value, frame.y) ? theme.text : theme.text_dim;
        canvas.text({plot.x - label_offset, row + 0.5}, tick.label, style);
    }
    draw_upright_title(plot.x - title_column(widest_label(frame.y_ticks, canvas, theme), theme), Side::left,
                       frame.y.title, frame, canvas, theme);
}

/// Draws the pointed end of a colour bar, from `first` to `last` with its tip at `beyond` from their middle.
void draw_color_bar_point(Point first, Point last, Point beyond, Color color, Canvas& canvas, const Theme& theme) {
    const Point middle{(first.x + last.x) / 2, (first.y + last.y) / 2}, tip{middle.x + beyond.x, middle.y + beyond.y};
    const Point outline[] = {first, tip, last}, flat[] = {first, middle, last};
    if (beyond.y > 0)
        canvas.fill_between(flat, outline, color);
    else
        canvas.fill_between(outline, flat, color);
    canvas.polyline(outline, {.color = theme.axis});
}

std::string meaning_of(const ColorBar& bar) {
    const ColorScale& scale = bar.map.scale;
    return fmt::format("Colours show values from {} to {}{}{}.", readable(scale.min), readable(scale.max),
                       scale.logarithmic ? " on a logarithmic scale" : "",
                       bar.some_below || bar.some_above ? "; values beyond a pointed end have its colour" : "");
}

/// Draws the labels of a horizontal colour bar below its plot.
void draw_level_color_bar_labels(const ColorBar& bar, const Frame& frame, Canvas& canvas, const Theme& theme) {
    const Rect& rect = *frame.color_bar;
    const Axis axis = color_axis(bar.map.scale);
    TextStyle style = tick_style(theme);
    style.across = Align::middle;
    for (const Tick& tick : frame.color_bar_ticks) {
        const double column = pixel_of(rect.x + axis.fraction(tick.value) * rect.width, rect.x, rect.right());
        canvas.fill_rect({column, rect.bottom() + 1, 1, tick.label.empty() ? minor_tick_length : tick_length},
                         theme.axis);
        const double half = canvas.measure(tick.label, style.size, style.weight).width / 2;
        if (!tick.label.empty() && column - half >= frame.outer.x && column + half <= frame.outer.right())
            canvas.text({column + 0.5, rect.bottom() + label_offset + theme.tick_size / 2}, tick.label, style);
    }
    if (frame.color_bar_title != bar.title) canvas.report_omitted(title_in_words(bar.title));
    draw_level_title(rect.bottom() + title_row(theme.tick_size, theme), frame.color_bar_title, frame, canvas, theme);
}

/// Draws the labels of a vertical colour bar beside its plot.
void draw_upright_color_bar_labels(const ColorBar& bar, const Frame& frame, Canvas& canvas, const Theme& theme) {
    const Rect& rect = *frame.color_bar;
    const Axis axis = color_axis(bar.map.scale);
    for (const Tick& tick : frame.color_bar_ticks) {
        const double y = rect.bottom() - axis.fraction(tick.value) * rect.height;
        const double row = pixel_of(y, rect.y, rect.bottom());
        const double length = tick.label.empty() ? minor_tick_length : tick_length;
        canvas.fill_rect({rect.right() + 1, row, length, 1}, theme.axis);
        if (!tick.label.empty()) canvas.text({rect.right() + label_offset, row + 0.5}, tick.label, tick_style(theme));
    }
    // Aligned with the axes' titles.
    const double title = rect.right() + title_column(widest_label(frame.color_bar_ticks, canvas, theme), theme);
    const bool has_room = title + theme.label_size / 2 <= frame.outer.right();
    if (has_room) draw_upright_title(title, Side::right, frame.color_bar_title, frame, canvas, theme);
    if (!has_room || frame.color_bar_title != bar.title) canvas.report_omitted(title_in_words(bar.title));
}

void draw_color_bar(const ColorBar& bar, const Frame& frame, Canvas& canvas, const Theme& theme) {
    const Rect &rect = *frame.color_bar, edge = rect.inset(-1);
    const bool is_level = rect.y >= frame.plot.bottom();
    const auto table = table_of(bar.map.scale.map);
    const int steps = static_cast<int>(table.size());
    canvas.fill_rect(edge, theme.axis);
    canvas.image(rect, is_level ? Image{steps, 1, {table.begin(), table.end()}}
                                : Image{1, steps, {table.rbegin(), table.rend()}});
    const auto draw_end = [&](double x, double y, double beyond, Color color) {
        if (is_level)
            draw_color_bar_point({x, edge.y}, {x, edge.bottom()}, {beyond, 0}, color, canvas, theme);
        else
            draw_color_bar_point({edge.x, y}, {edge.right(), y}, {0, -beyond}, color, canvas, theme);
    };
    if (bar.some_above) draw_end(rect.right(), rect.y, color_bar_point, table.back());
    if (bar.some_below) draw_end(rect.x, rect.bottom(), -color_bar_point, table.front());
    if (is_level)
        draw_level_color_bar_labels(bar, frame, canvas, theme);
    else
        draw_upright_color_bar_labels(bar, frame, canvas, theme);
    canvas.add_tooltip(is_level ? Rect{frame.plot.x, rect.y - 1, frame.plot.width, frame.outer.bottom() - rect.y}
                                : Rect{rect.x - 1, frame.plot.y, frame.outer.right() - rect.x, frame.plot.height},
                       bar.title, meaning_of(bar));
}

}  // namespace

double Axis::fraction(double value) const {
    if (scale == AxisScale::linear) return share(value, low, high);
    return value > 0 ? share(std::log2(value), std::log2(low), std::log2(high)) : std::nan("");
}

double Axis::value(double fraction) const {
    if (scale == AxisScale::linear) return low * (1 - fraction) + high * fraction;
    return std::pow(low, 1 - fraction) * std::pow(high, fraction);
}

Point Frame::to_pixels(double x_value, double y_value) const {
    const double across = x.fraction(x_value), along = y.fraction(y_value);
    return {plot.x + across * plot.width,
            y.downwards ? plot.y + along * plot.height : plot.bottom() - along * plot.height};
}

double Frame::x_at(double pixel) const {
    return x.value((pixel - plot.x) / plot.width);
}

double Frame::y_at(double pixel) const {
    return y.value((y.downwards ? pixel - plot.y : plot.bottom() - pixel) / plot.height);
}

void draw_background(const PlotOptions& options, const Frame& frame, Canvas& canvas, const Theme& theme) {
    if (frame.empty()) return;
    if (theme.plot_background.a > 0) canvas.fill_rect(frame.plot, theme.plot_background);
    if (options.grid && theme.is_paper)
        draw_zero_dots(frame, canvas, theme);
    else if (options.grid)
        draw_grid(frame, canvas, theme);
}

void draw_axes(const PlotOptions& options, const Frame& frame, Canvas& canvas, const Theme& theme) {
    if (frame.empty()) return canvas.report_omitted("a plot");
    if (theme.is_paper)
        draw_axis_lines(options, frame, canvas, theme);
    else if (!options.grid)
        draw_outline(frame.plot, canvas, theme);
    draw_x_axis(options, frame, canvas, theme);
    draw_y_axis(options, frame, canvas, theme);
    if (frame.color_bar && options.color_bar)
        draw_color_bar(*options.color_bar, frame, canvas, theme);
    else if (options.color_bar)
        canvas.report_omitted("the colour bar");
}

}  // namespace ropewalk
