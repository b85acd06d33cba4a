#include "app/figures/curves.h"

#include <numeric>
#include <optional>

#include "app/plot/elide.h"
#include "core/numbers.h"

namespace ropewalk {
namespace {

constexpr double gap = 6;             // between plots above each other
constexpr std::size_t few_dots = 70;  // that stand apart

/// The y axis, with its range found where it was left open.
Axis y_axis(const CurvePlot& plot, const FigureInput& input) {
    Axis axis = plot.y;
    if (axis.low < axis.high) return axis;
    const bool is_logarithmic = axis.scale == AxisScale::logarithmic;
    ValueRange all{infinity, -infinity};
    const auto take = [&](double value) {
        if (std::isfinite(value) && (!is_logarithmic || value > 0))
            all = {std::min(all.least, value), std::max(all.greatest, value)};
    };
    for (const Series& series : plot.series) {
        if (series.values && !is_logarithmic) {
            const ValueRange range = input.range_of({.values = series.values});
            take(range.least), take(range.greatest);
        } else if (series.values) {
            for (const double value : *series.values) take(value);
        }
        if (series.as_bars) take(0);
        for (std::size_t i = 0; i < series.points.size(); ++i)
            for (const double side : {-1.0, 1.0})
                take(series.points[i].y + side * (series.spread.empty() ? 0 : series.spread[i]));
    }
    for (const Mark& mark : plot.marks)
        if (mark.way == Mark::Way::across) take(mark.at);
    if (!(all.least <= all.greatest)) all = is_logarithmic ? ValueRange{0.1, 10} : ValueRange{0, 1};
    if (is_logarithmic) {
        const double factor = std::pow(std::max(all.greatest / all.least, 1.5), 0.06);
        axis.low = all.least / factor, axis.high = all.greatest * factor;
    } else {
        all = padded(all);
        axis.low = all.least, axis.high = all.greatest;
    }
    return axis;
}

Color band_color(const Series& series) {
    return series.color.with_alpha(0.22);
}

void draw_series_band(const Series& series, const Frame& frame, Canvas& canvas) {
    if (series.spread.empty()) return;
    std::vector<Point> low = series.points, high = series.points;
    for (std::size_t i = 0; i < series.points.size(); ++i) {
        low[i].y -= series.spread[i];
        high[i].y += series.spread[i];
    }
    draw_band(low, high, band_color(series), frame, canvas);
}

void draw_series(const Series& series, const Frame& frame, Canvas& canvas, const Theme& theme) {
    const Stroke stroke{.color = series.color, .width = series.width, .dash = series.dash};
    if (series.values && series.as_bars && !series.colors.empty())
        for (std::size_t i = 0; i < series.values->size(); ++i)
            draw_bars({std::span(*series.values).subspan(i, 1), series.first + static_cast<double>(i) * series.step,
                       series.step},
                      0.8, series.colors[i], series.colors[i], frame, canvas);
    else if (series.values && series.as_bars)
        draw_bars({*series.values, series.first, series.step}, 0.8, series.color, series.color, frame, canvas);
    else if (series.values)
        draw_curve({*series.values, series.first, series.step}, stroke, frame, canvas);
    if (series.as_dots && series.points.size() > few_dots)
        draw_dots(series.points, 2, series.color, frame, canvas);
    else if (series.as_dots)
        for (const Point& point : series.points) draw_point(point, 3, series.color, frame, canvas, theme);
    else if (!series.points.empty())
        draw_path(series.points, stroke, frame, canvas);
}

void draw_rule(const Mark& mark, const Frame& frame, Canvas& canvas) {
    const Stroke stroke{.color = mark.color, .width = 1.25, .dash = mark.dash};
    if (mark.way == Mark::Way::up)
        draw_vertical_rule(mark.at, frame, canvas, stroke);
    else
        draw_horizontal_rule(mark.at, frame, canvas, stroke);
    const double share = frame.x.fraction(mark.at);
    if (mark.grip && share >= 0 && share <= 1 && frame.plot.height > 20)
        canvas.circle({frame.plot.x + share * frame.plot.width, frame.plot.y + 6}, 4, mark.color, {mark.color, 0, 0});
}

bool overlap(const Rect& a, const Rect& b) {
    return a.x < b.right() && b.x < a.right() && a.y < b.bottom() && b.y < a.bottom();
}

/// How much of the curves a box would hide, in places that are looked at.
std::size_t hidden_by(const Rect& box, const CurvePlot& plot, const Frame& frame) {
    constexpr std::size_t looked_at = 2000;  // of a curve
    std::size_t count = 0;
    for (const Series& series : plot.series) {
        for (const Point& point : series.points) count += box.contains(frame.to_pixels(point.x, point.y));
        if (!series.values) continue;
        const std::vector<double>& values = *series.values;
        for (std::size_t i = 0; i < values.size(); i += values.size() / looked_at + 1)
            count += box.contains(frame.to_pixels(series.first + static_cast<double>(i) * series.step, values[i]));
    }
    return count;
}

/// A rule's name stands beside it, at the first end and side that is free of other names and hides least; without one
/// it is left out.
void draw_rule_name(const Mark& mark, const CurvePlot& curves, const Frame& frame, std::vector<Rect>& taken,
                    Canvas& canvas, const Theme& theme) {
    const bool is_up = mark.way == Mark::Way::up;
    const double share = is_up ? frame.x.fraction(mark.at) : frame.y.fraction(mark.at);
    if (mark.label.empty() || !(share >= 0 && share <= 1)) return;
    const Rect& plot = frame.plot;
    const double width = canvas.measure(mark.label, theme.tick_size, Weight::regular).width + 6,
                 height = theme.tick_size * 1.4, gap_to_rule = 2, inset = 4;
    std::vector<Point> corners;  // upper left ones
    if (is_up) {
        const double x = plot.x + share * plot.width;
        for (const double y : {plot.bottom() - height - inset, plot.y + inset, plot.centre().y})
            for (const double left : {x + gap_to_rule, x - gap_to_rule - width}) corners.push_back({left, y});
    } else {
        const double y = plot.bottom() - share * plot.height;
        for (const double x : {plot.right() - width - inset, plot.x + inset, plot.centre().x - width / 2})
            for (const double top : {y - gap_to_rule - height, y + gap_to_rule}) corners.push_back({x, top});
    }
    std::optional<Rect> best;
    std::size_t least_hidden = 0;
    for (const Point& corner : corners) {
        const Rect box{corner.x, corner.y, width, height};
        const bool is_inside =
            box.x >= plot.x && box.right() <= plot.right() && box.y >= plot.y && box.bottom() <= plot.bottom();
        if (!is_inside ||
            std::any_of(taken.begin(), taken.end(), [&](const Rect& other) { return overlap(box, other); }))
            continue;
        const std::size_t hidden = hidden_by(box, curves, frame);
        if (!best || hidden < least_hidden) best = box, least_hidden = hidden;
        if (hidden == 0) break;
    }
    if (!best) return;
    canvas.fill_rect(*best, theme.plot_background.with_alpha(0.85), 3);
    canvas.text(best->centre(), mark.label, {.size = theme.tick_size, .color = mark.color, .across = Align::middle});
    taken.push_back(*best);
}

std::vector<LegendEntry> legend_of(const CurvePlot& plot) {
    std::vector<LegendEntry> entries;
    if (!plot.message.empty()) return entries;
    for (const Series& series : plot.series)
        if (!series.label.empty())
            entries.push_back({series.label, series.color, series.as_bars, series.dash, series.as_dots});
    for (const Series& series : plot.series)
        if (!series.spread_label.empty()) entries.push_back({series.spread_label, band_color(series), true});
    return entries;
}

}  // namespace

Frame draw_curves(const std::vector<CurvePlot>& plots, const FigureInput& input, Canvas& canvas, const Rect& rect) {
    const Theme& theme = input.theme;
    const double shares = std::accumulate(plots.begin(), plots.end(), 0.0,
                                          [](double sum, const CurvePlot& plot) { return sum + plot.share; });
    const double room = std::max(0.0, rect.height - gap * static_cast<double>(plots.size() - 1));
    std::vector<PlotOptions> options(plots.size());
    std::vector<Frame> frames(plots.size());
    std::vector<Rect> places(plots.size()), rooms(plots.size());
    double top = rect.y, left = input.drawn_on ? input.drawn_on->plot.x : rect.x;  // stays where it is drawn on
    for (std::size_t i = 0; i < plots.size(); ++i) {
        options[i] = {.x = plots[i].x,
                      .y = y_axis(plots[i], input),
                      .x_labels = i + 1 == plots.size() || !(plots[i].x == plots[i + 1].x)};
        const double height = room * plots[i].share / shares;
        places[i] = {rect.x, top, rect.width, height};
        rooms[i] = below_legend(legend_of(plots[i]), places[i], canvas, theme);
        frames[i] = layout(options[i], canvas, rooms[i], theme);
        top += height + gap;
        left = std::max(left, frames[i].plot.x);
    }
    for (std::size_t i = 0; i < plots.size(); ++i) {
        Frame& frame = frames[i];
        frame.plot = {left, frame.plot.y, std::max(0.0, frame.plot.right() - left), frame.plot.height};
        draw_background(options[i], frame, canvas, theme);
        if (!plots[i].message.empty()) {
            draw_message(plots[i].message, frame.plot, canvas, theme);
        } else {
            if (frame.y.scale == AxisScale::linear)
                draw_horizontal_rule(0, frame, canvas, {.color = theme.axis, .width = 1});
            for (const Series& series : plots[i].series) draw_series_band(series, frame, canvas);
            for (const bool dashed : {false, true})  // over those that they coincide with
                for (const Series& series : plots[i].series)
                    if ((series.dash > 0) == dashed) draw_series(series, frame, canvas, theme);
            for (const Mark& mark : plots[i].marks) draw_rule(mark, frame, canvas);
        }
        if (input.cursor_shown && plots[i].message.empty() && !std::isnan(plots[i].cursor_x))
            draw_vertical_rule(plots[i].cursor_x, frame, canvas, cursor_stroke(theme));
        draw_axes(options[i], frame, canvas, theme);
        draw_legend(legend_of(plots[i]), places[i], rooms[i], canvas, theme);
        if (!plots[i].message.empty()) continue;
        std::vector<Rect> taken;
        for (const Mark& mark : plots[i].marks) draw_rule_name(mark, plots[i], frame, taken, canvas, theme);
    }
    Frame last = std::move(frames.back());
    frames.pop_back();
    last.above = std::move(frames);
    last.outer = {rect.x, rooms.front().y, rect.width, rect.bottom() - rooms.front().y};
    return last;
}

void draw_message(const std::string& sentence, const Rect& rect, Canvas& canvas, const Theme& theme) {
    const TextStyle style{.size = theme.label_size, .color = theme.text_dim, .across = Align::middle};
    const std::vector<std::string> lines = wrapped(words_of(sentence), rect.width - 16, style.size, style.weight);
    const double line_height = style.size * 1.5;
    double y = rect.centre().y - line_height * (static_cast<double>(lines.size()) - 1) / 2;
    canvas.push_clip(rect);
    for (const std::string& line : lines) {
        canvas.text({rect.centre().x, y}, line, style);
        y += line_height;
    }
    canvas.pop_clip();
}

}  // namespace ropewalk
