#include "app/figures/parts/curves/line_names.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace ropewalk {
namespace {

constexpr double to_line = 2, to_others = 7, to_edge = 3;  // minimum distances, logical pixels

/// Returns the rows that a line takes between two columns; empty if it is not in most of them.
Extent rows_between(const NamedLine& line, double begin, double end) {
    Extent rows;
    int columns = 0, missing = 0;
    for (double column = begin; column < end; column += column_width, ++columns) {
        const Extent here = line.rows_at(column);
        missing += here.empty();
        rows.take(here);
    }
    return 2 * missing > columns ? Extent{} : rows;
}

/// Returns whether a line comes within a distance of a box.
bool is_near(const NamedLine& line, const Rect& box, double distance) {
    for (double column = box.x - distance; column < box.right() + distance; column += column_width)
        if (const Extent rows = line.rows_at(column);
            !rows.empty() && rows.max >= box.y - distance && rows.min <= box.bottom() + distance)
            return true;
    return false;
}

std::optional<Rect> best_place(std::span<const NamedLine> lines, std::size_t own, double width,
                               std::span<const Rect> taken, const Frame& frame, const Theme& theme) {
    constexpr double step = 6, preferred = 0.6, height = 1.15;  // px; share of the plot; lines of text
    constexpr double crossed_zero = 20;
    const Rect room = frame.plot.inset(to_edge);
    std::optional<Rect> best;
    double min_cost = infinity;
    for (double x = room.x; x + width <= room.right(); x += step) {
        const Extent rows = rows_between(lines[own], x, x + width);
        if (rows.empty()) continue;
        for (const bool is_above : {true, false}) {
            const double size = height * theme.tick_size;
            const Rect box{x, is_above ? rows.min - to_line - size : rows.max + to_line, width, size};
            const double zero = frame.to_pixels(frame.x.low, 0).y;  // its line, which a name should not cross
            const double cost = rows.max - rows.min + 20 * std::abs((x + width / 2 - room.x) / room.width - preferred) +
                                (zero > box.y && zero < box.bottom() ? crossed_zero : 0);
            if (cost >= min_cost || box.y < room.y || box.bottom() > room.bottom()) continue;
            const bool is_free =
                std::none_of(taken.begin(), taken.end(),
                             [&](const Rect& other) { return box.inset(-to_others).overlaps(other); }) &&
                std::all_of(lines.begin(), lines.end(), [&](const NamedLine& line) {
                    return !is_near(line, box, &line == &lines[own] ? to_line / 2 : to_others);
                });
            if (is_free) best = box, min_cost = cost;
        }
    }
    return best;
}

}  // namespace

NamedLine named_line(std::string name, const Curve& curve, const Frame& frame) {
    return {std::move(name), [curve, frame](double column) { return rows_of(curve, frame, column); }};
}

NamedLine named_line(std::string name, std::vector<Point> points, const Frame& frame) {
    return {std::move(name),
            [points = std::move(points), frame](double column) { return rows_of(points, frame, column); }};
}

std::vector<NamedLine> named_lines(const CurvePlot& plot, const Frame& frame, const Theme& theme) {
    std::vector<NamedLine> lines;
    if (!theme.is_paper || !plot.message.empty()) return lines;
    for (const Series& series : plot.series) {
        const bool is_line = !series.as_bars && !series.as_dots && series.spread.empty();
        if (!is_line && !(series.name_here().empty() && series.spread_label.empty())) return {};
        if (is_line && series.values)
            lines.push_back(named_line(series.name_here(), Curve{*series.values, series.first, series.step}, frame));
        else if (is_line)
            lines.push_back(named_line(series.name_here(), series.points, frame));
    }
    return lines;
}

std::vector<Rect> places_of_names(std::span<const NamedLine> lines, const Frame& frame, const Canvas& canvas,
                                  const Theme& theme) {
    std::vector<Rect> places(lines.size()), taken;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (lines[i].name.empty()) continue;
        const double width = canvas.measure(lines[i].name, theme.tick_size, Weight::regular).width;
        const auto place = best_place(lines, i, width, taken, frame, theme);
        if (!place) return {};
        places[i] = *place;
        taken.push_back(*place);
    }
    return places;
}

void draw_line_names(std::span<const NamedLine> lines, std::span<const Rect> places, Canvas& canvas,
                     const Theme& theme) {
    for (std::size_t i = 0; i < places.size(); ++i)
        if (!lines[i].name.empty())
            canvas.text(places[i].centre(), lines[i].name,
                        {.size = theme.tick_size, .color = theme.text, .across = Align::middle});
}

}  // namespace ropewalk
