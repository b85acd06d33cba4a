#include "app/figures/parts/curves/curves.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <utility>

#include "app/figures/parts/curves/area_label.h"
#include "app/figures/parts/curves/line_names.h"
#include "app/figures/parts/curves/twins.h"
#include "app/figures/parts/curves/zoom.h"
#include "app/plot/axes_metrics.h"
#include "app/plot/dense_curve.h"
#include "app/plot/elide.h"
#include "app/plot/math/math_text.h"
#include "core/numbers/numbers.h"

namespace ropewalk {
namespace {

constexpr double gap = 6;             // between stacked plots
constexpr std::size_t few_dots = 70;  // more dots than this are drawn small
constexpr double marker_radius = 3;   // logical pixels
constexpr double room_to_drag = 1.2;  // upper end of the axis relative to a line that can be dragged

/// Returns the values within the axis; a reference may be longer.
std::span<const double> values_in_sight(const Series& series, const Axis& x) {
    if (!series.values) return {};
    const auto index = [&](double at) {
        return static_cast<std::size_t>(std::clamp(at, 0.0, static_cast<double>(series.values->size())));
    };
    const std::size_t begin = index(std::ceil((x.low - series.first) / series.step - 1e-9)),
                      end = index(std::floor((x.high - series.first) / series.step + 1e-9) + 1);
    return std::span(*series.values).subspan(begin, std::max(begin, end) - begin);
}

/// Returns the y axis, with its range computed if none was given.
Axis y_axis(const CurvePlot& plot, const FigureInput& input) {
    Axis axis = plot.y;
    if (axis.low < axis.high) return axis;
    const bool is_logarithmic = axis.scale == AxisScale::logarithmic;
    ValueRange all{infinity, -infinity};
    const auto take = [&](double value) {
        if (std::isfinite(value) && (!is_logarithmic || value > 0))
            all = {std::min(all.min, value), std::max(all.max, value)};
    };
    Axis x = plot.x;
    if (plot.zoom.x.empty()) x.low = -infinity;
    for (const Series& series : plot.series) {
        const std::span<const double> seen = values_in_sight(series, x);
        if (series.values && !is_logarithmic && seen.size() == series.values->size()) {
            const ValueRange range = input.range_of({.values = series.values});
            take(range.min), take(range.max);
        } else if (series.values) {
            for (const double value : seen) take(value);
        }
        for (std::size_t i = 0; i < series.points.size(); ++i) {
            const bool is_in_sight = plot.zoom.x.empty() || plot.x.contains(series.points[i].x);
            for (const double side : {-1.0, 1.0})
                if (is_in_sight) take(series.points[i].y + side * (series.spread.empty() ? 0 : series.spread[i]));
        }
    }
    for (const Mark& mark : plot.marks)
        if (mark.way == Mark::Way::across) take(mark.grip ? room_to_drag * mark.at : mark.at);
    if (all.min <= all.max)
        all = input.reached(axis.title, all);
    else
        all = is_logarithmic ? ValueRange{0.1, 10} : ValueRange{0, 1};
    if (is_logarithmic) {
        const double factor = std::pow(std::max(all.max / all.min, 1.5), 0.06);
        axis.low = all.min / factor, axis.high = all.max * factor;
    } else {
        if (plot.zoom.x.empty()) all = united(all, {0, 0});  // a part is shown as large as possible
        const ValueRange shown = padded(all);
        axis.low = all.min == 0 ? 0 : shown.min, axis.high = all.max == 0 ? 0 : shown.max;
    }
    return axis;
}

/// Returns one edge of the band around a series: the upper one (1) or the lower one (−1).
std::vector<Point> edge_of(const Series& series, double side) {
    std::vector<Point> edge = series.points;
    for (std::size_t i = 0; i < edge.size(); ++i) edge[i].y += side * series.spread[i];
    return edge;
}

Color band_color(const Series& series) {
    return series.color.with_alpha(0.22);
}

/// Draws what is behind the lines of all series: a band, or the range of a dense curve.
void draw_series_area(const Series& series, const FigureInput& input, const Frame& frame, Canvas& canvas) {
    if (series.values && !series.as_bars)
        draw_curve(input.memo.quick({*series.values, series.first, series.step}, series.values),
                   {.color = series.color}, frame, canvas, CurvePart::area);
    if (series.spread.empty()) return;
    draw_band(edge_of(series, -1), edge_of(series, 1), band_color(series), frame, canvas);
}

/// Draws one series. `dots` is the number of dots in the whole plot.
void draw_series(const Series& series, std::size_t dots, const FigureInput& input, const Frame& frame, Canvas& canvas) {
    const Stroke stroke{.color = series.color, .width = series.width, .dash = series.dash};
    if (series.values && series.as_bars && !series.colors.empty())
        for (std::size_t i = 0; i < series.values->size(); ++i)
            draw_bars({std::span(*series.values).subspan(i, 1), series.first + static_cast<double>(i) * series.step,
                       series.step},
                      0.8, series.colors[i], series.colors[i], frame, canvas);
    else if (series.values && series.as_bars)
        draw_bars({*series.values, series.first, series.step}, 0.8, series.color, series.color, frame, canvas);
    else if (series.values)
        draw_curve(input.memo.quick({*series.values, series.first, series.step}, series.values), stroke, frame, canvas,
                   CurvePart::line);
    if (series.as_dots && dots > few_dots)
        draw_dots(series.points, 3.25, series.color, frame, canvas);
    else if (series.as_dots)
        for (const Point& point : series.points)
            draw_point(point, point_radius, series.color, frame, canvas, input.theme);
    else if (!series.points.empty())
        draw_path(series.points, stroke, frame, canvas);
    if (series.has_markers) draw_dots(series.points, marker_radius, series.color, frame, canvas);
}

std::size_t count_in(const Rect& box, const CurvePlot& plot, FigureMemo& memo, const Frame& frame) {
    std::size_t count = 0;
    for (const Series& series : plot.series) {
        count += count_in(box, series.points, frame);
        if (series.values)
            count += count_in(box, memo.quick({*series.values, series.first, series.step}, series.values), frame);
    }
    return count;
}

/// Returns y where a line leaves the axis at the right, or at its own right end if that comes first; NaN if it begins
/// beyond the axis. The points are in the order of x or in the opposite one.
double end_of(const std::vector<Point>& points, const Axis& x) {
    const Point *inside = nullptr, *beyond = nullptr;  // the nearest ones on both sides of the end of the axis
    for (const Point& at : points) {
        if (at.x <= x.high && (!inside || at.x >= inside->x)) inside = &at;
        if (at.x > x.high && (!beyond || at.x < beyond->x)) beyond = &at;
    }
    if (!inside || !beyond) return inside ? inside->y : nan;
    const double from = x.fraction(inside->x), to = x.fraction(beyond->x);
    return std::lerp(inside->y, beyond->y, (1 - from) / (to - from));
}

/// Returns y at the right end of what is shown of a line; NaN for bars and dots.
double end_of(const Series& series, const Axis& x) {
    if (series.as_bars || series.as_dots) return nan;
    if (!series.values) return end_of(series.points, x);
    return end_of(Curve{*series.values, series.first, series.step}, x.high);
}

std::vector<LegendEntry> legend_of(const CurvePlot& plot) {
    std::vector<LegendEntry> entries;
    if (!plot.message.empty()) return entries;
    for (const bool first : {true, false})
        for (const Series& series : plot.series)
            if (!series.name_here().empty() && series.is_named_first == first)
                entries.push_back({.label = series.label,
                                   .color = series.color,
                                   .band = series.as_bars,
                                   .dash = series.dash,
                                   .width = series.width,
                                   .dots = series.as_dots,
                                   .is_faint = series.of == Series::Of::ghost,
                                   .end = end_of(series, plot.x),
                                   .chip = series.pin});
    for (const Series& series : plot.series)
        if (!series.spread_label.empty())
            entries.push_back({.label = series.spread_label,
                               .color = band_color(series),
                               .band = true,
                               .end = end_of(edge_of(series, 1), plot.x)});
    return entries;
}

/// Returns the legend with the names of marks that spare curves, and clears their labels in the plot. Returns it
/// without them if the names do not all fit beside the plot.
std::vector<LegendEntry> legend_with_marks(CurvePlot& plot, const Rect& place, const Canvas& canvas,
                                           const Theme& theme) {
    std::vector<LegendEntry> entries = legend_of(plot), all = entries;
    const auto is_named = [&](const Mark& mark) {
        return mark.spares_curves && mark.way == Mark::Way::across && plot.message.empty();
    };
    for (const Mark& mark : plot.marks)
        if (is_named(mark))
            all.push_back({.label = mark.label, .color = mark.color, .dash = mark.dash, .end = mark.at});
    if (all.size() == entries.size() || without_legend(all, place, canvas, theme).width == place.width) return entries;
    for (Mark& mark : plot.marks)
        if (is_named(mark)) mark.label.clear();
    return all;
}

/// Returns the height of the axis labels and title below a plot.
double below_plot(const Theme& theme) {
    return label_offset + theme.tick_size + title_gap + 1.25 * theme.label_size;
}

/// Returns whether plot i has labels below it: the next one, if any, has another x axis.
bool has_labels(std::span<const CurvePlot> plots, std::size_t i) {
    return i + 1 == plots.size() || !(plots[i].x == plots[i + 1].x);
}

/// Returns the height that remains for the plots and their legends.
double room_for(std::span<const CurvePlot> plots, double height, const Theme& theme) {
    double room = height - gap * static_cast<double>(plots.size() - 1);
    for (std::size_t i = 0; i < plots.size(); ++i) room -= has_labels(plots, i) ? below_plot(theme) : 0;
    return room;
}

double shares_of(std::span<const CurvePlot> plots) {
    return std::accumulate(plots.begin(), plots.end(), 0.0,
                           [](double sum, const CurvePlot& plot) { return sum + plot.share; });
}

/// Returns as many plots, from the top, as are large enough to read. In a narrow panel they fill at least half of the
/// height, without labels and legends.
std::span<const CurvePlot> readable_ones(std::span<const CurvePlot> plots, const Rect& rect, const Canvas& canvas,
                                         const Theme& theme) {
    constexpr double min = 46, min_with_legend = 70;  // height of a plot with axis titles, logical pixels
    constexpr double narrow = 380, min_filled = 0.5;
    const auto fit = [&] {
        const double room = room_for(plots, rect.height, theme), shares = shares_of(plots);
        double filled = 0;
        for (std::size_t i = 0; i < plots.size(); ++i) {
            const auto legend = legend_of(plots[i]);
            const double height = room * plots[i].share / shares,
                         half_label = theme.tick_size / 2 + 2;  // above, and below where there is no row of labels
            if (height < (legend.empty() ? min : min_with_legend)) return false;
            filled += without_legend(legend, {rect.x, rect.y, rect.width, height}, canvas, theme).height -
                      half_label * (has_labels(plots, i) ? 1 : 2);
        }
        return rect.width >= narrow || filled >= min_filled * rect.height;
    };
    while (plots.size() > 1 && !fit()) plots = plots.first(plots.size() - 1);
    return plots;
}

/// Returns the layer of a series: the state before the drag and the reference are below everything else, dashes above
/// the lines that they may coincide with.
int layer_of(const Series& series) {
    if (series.of != Series::Of::current) return 0;
    return series.dash.is_solid() ? 1 : 2;
}

/// A plot with its place among others, and the room below its legend.
struct PlacedPlot {
    CurvePlot plot;
    PlotOptions options;
    Rect place, room;
    Frame frame;
    std::vector<LegendEntry> legend;
};

/// Returns a plot with the part of its horizontal axis that is shown, and its axes. The vertical one fits what is seen.
std::pair<CurvePlot, PlotOptions> zoomed_plot(CurvePlot plot, bool is_labelled, const FigureInput& input) {
    PlotOptions options = zoomed({.x = input.reached(plot.x), .x_labels = is_labelled}, {.x = plot.zoom.x});
    plot.x = options.x;
    if (const auto& whole = options.whole_x; whole && plot.message.empty())
        plot.message = nothing_in_sight(plot.x, whole->whole ? std::ceil(whole->low) : whole->low,
                                        whole->whole ? std::floor(whole->high) : whole->high);
    options.y = y_axis(plot, input);
    options = zoomed(options, {.y = plot.zoom.y});
    widen_twins(plot.series, options.y);
    return {std::move(plot), std::move(options)};
}

/// Draws the series below and above the curves, in layers.
void draw_all_series(const CurvePlot& plot, const FigureInput& input, const Frame& frame, Canvas& canvas) {
    std::size_t dots = 0;
    for (const Series& series : plot.series) {
        draw_series_area(series, input, frame, canvas);
        dots += series.as_dots && series.of == Series::Of::current ? series.points.size() : 0;
    }
    for (const int layer : {0, 1, 2})
        for (const Series& series : plot.series)
            if (layer_of(series) == layer) draw_series(series, dots, input, frame, canvas);
    draw_mark_lines(plot.marks, frame, canvas);
}

/// Draws the legend, and records the places of the names that a click removes.
void draw_legend_with_chips(PlacedPlot& placed, Canvas& canvas, const Theme& theme) {
    const std::vector<LegendEntry>& entries = placed.legend;
    const std::vector<Rect> drawn = draw_legend(entries, placed.place, placed.room, placed.frame, canvas, theme);
    std::vector<Rect>& chips = placed.frame.chips;
    for (std::size_t i = 0; i < drawn.size(); ++i) {
        if (entries[i].chip < 0) continue;
        const auto chip = static_cast<std::size_t>(entries[i].chip);
        chips.resize(std::max(chips.size(), chip + 1));
        chips[chip] = drawn[i];
    }
}

void draw_placed(PlacedPlot& placed, const FigureInput& input, Canvas& canvas) {
    const CurvePlot& plot = placed.plot;
    Frame& frame = placed.frame;
    const Theme& theme = input.theme;
    const double cursor_x = std::isnan(plot.cursor_x) ? cursor_on(plot.x, input) : plot.cursor_x;
    const bool has_cursor = input.cursor_shown && plot.x.contains(cursor_x);
    draw_background(placed.options, frame, canvas, theme);
    if (!plot.message.empty()) {
        draw_message(plot.message, frame.plot, canvas, theme);
    } else {
        draw_all_series(plot, input, frame, canvas);
        if (has_cursor) draw_cursor_band(cursor_x, frame, canvas, theme);
    }
    draw_axes(placed.options, frame, canvas, theme);
    const std::vector<NamedLine> lines = named_lines(plot, frame, theme);
    const std::vector<Rect> names = places_of_names(lines, frame, canvas, theme);
    if (!names.empty())
        draw_line_names(lines, names, canvas, theme);
    else
        draw_legend_with_chips(placed, canvas, theme);
    if (!plot.message.empty()) return;
    std::vector<Rect> taken = draw_mark_names(plot.marks, input, frame, canvas, [&](const Rect& box) {
        const double cursor = frame.to_pixels(cursor_x, frame.y.low).x;
        const bool is_struck = has_cursor && cursor >= box.x && cursor <= box.right();
        return count_in(box, plot, input.memo, frame) + (is_struck ? line_hidden : 0);
    });
    taken.insert(taken.end(), names.begin(), names.end());
    const auto is_dense = [&](const Series& series) {
        return series.values && !series.as_bars &&
               share_of_area(input.memo.quick({*series.values, series.first, series.step}, series.values), frame) >=
                   min_labelled_area;
    };
    if (std::any_of(plot.series.begin(), plot.series.end(), is_dense))
        draw_area_label(
            taken,
            [&](const Rect& box) { return count_in(box, plot, input.memo, frame) + count_in(box, plot.marks, frame); },
            frame, canvas, theme);
}

}  // namespace

std::vector<Point> points_of(const std::vector<double>& x, const std::vector<double>& y) {
    std::vector<Point> points;
    for (std::size_t i = 0; i < x.size(); ++i) points.push_back({x[i], y[i]});
    return points;
}

Series beneath(Series series, const Theme& theme) {
    series.color = theme.faded(series.color, 0.7), series.width = 3.5;
    return series;
}

Frame draw_curves(const std::vector<CurvePlot>& all, const FigureInput& input, Canvas& canvas, const Rect& rect) {
    const Theme& theme = input.theme;
    const std::span<const CurvePlot> plots = readable_ones(all, rect, canvas, theme);
    for (std::size_t i = plots.size(); i < all.size(); ++i)
        canvas.report_omitted(fmt::format("the plot of “{}”", without_math(all[i].y.title)));
    const double shares = shares_of(plots);
    // Axis labels are not part of a plot's share.
    const double below = below_plot(theme), room = room_for(plots, rect.height, theme);
    std::vector<PlacedPlot> placed;
    double top = rect.y, left = input.drawn_on ? input.drawn_on->plot.x : rect.x,  // fixed while the mouse draws
        right = rect.right();
    for (std::size_t i = 0; i < plots.size(); ++i) {
        const bool is_labelled = has_labels(plots, i);
        auto [shown, options] = zoomed_plot(plots[i], is_labelled, input);
        const double height = room * plots[i].share / shares + (is_labelled ? below : 0);
        const Rect place{rect.x, top, rect.width, height};
        Rect inside = place;
        Frame frame = layout(options, canvas, inside, theme);
        std::vector<LegendEntry> legend = legend_of(shown);
        if (places_of_names(named_lines(shown, frame, theme), frame, canvas, theme).empty()) {
            legend = legend_with_marks(shown, place, canvas, theme);
            inside = without_legend(legend, place, canvas, theme);
            frame = layout(options, canvas, inside, theme);
        }
        placed.push_back({shown, options, place, inside, std::move(frame), std::move(legend)});
        top += height + gap;
        left = std::max(left, placed.back().frame.plot.x);
        right = std::min(right, placed.back().frame.plot.right());
    }
    std::vector<Frame> frames;
    std::vector<Rect> chips;  // of the plot that names the curves for all
    for (PlacedPlot& each : placed) {
        Rect& plot = each.frame.plot;
        plot = {left, plot.y, std::max(0.0, right - left), plot.height};
        draw_placed(each, input, canvas);
        if (!each.frame.chips.empty()) chips = std::move(each.frame.chips);
        frames.push_back(std::move(each.frame));
    }
    Frame last = std::move(frames.back());
    frames.pop_back();
    last.above = std::move(frames);
    last.chips = std::move(chips);
    const double first_top = placed.front().room.y;
    last.outer = {rect.x, first_top, rect.width, rect.bottom() - first_top};
    return last;
}

Frame draw_message(const std::string& sentence, const Rect& rect, Canvas& canvas, const Theme& theme) {
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
    return {.outer = rect, .plot = rect};
}

}  // namespace ropewalk
