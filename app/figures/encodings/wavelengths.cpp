#include "app/figures/encodings/wavelengths.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace ropewalk {

Frame WavelengthsFigure::draw(const FigureInput& input, Canvas& canvas, const Rect& rect) const {
    const Theme& theme = input.theme;
    const auto lengths = wavelengths(input.results.problem->lowered);
    const double context = spanned_positions(*input.results.problem);
    const ValueRange range = input.reached("y", shown_range(input));
    const double low = range.min / 1.6, shelf = range.max * std::pow(range.max / low, 0.12);
    PlotOptions options;
    options.x = input.reached(axis == WavelengthsAxis::pair ? pair_axis(lengths.size()) : channel_axis(input));
    const std::string unit = unit_of_positions(input.experiment());
    options.y = {.title = fmt::format("wavelength ({})", unit),
                 .low = low,
                 .high = shelf * std::pow(range.max / low, 0.06),
                 .scale = AxisScale::logarithmic};
    const Dots current = dots(&input.results, shelf), other = dots(input.reference, shelf);
    std::vector<LegendEntry> entries{
        {.label = "wavelength 2π/wₜ", .color = theme.series[0], .dots = true},
        {.label = fmt::format("sequence, {} {}", readable(context), unit), .color = theme.series[1], .dash = 6}};
    if (input.reference) entries.push_back({.label = input.reference_name, .color = theme.text_dim, .dots = true});
    const bool some_unrotated = !current.unrotated.empty() || !other.unrotated.empty();
    if (some_unrotated) entries.push_back({.label = "∞ (not rotated)", .color = theme.series[3], .dots = true});
    const Rect room = below_legend(entries, rect, canvas, theme);
    Frame frame = layout(options, canvas, room, theme);
    if (some_unrotated) {
        const double shelf_y = frame.to_pixels(0, shelf).y;
        std::erase_if(frame.y_ticks, [&](const Tick& tick) {
            return tick.value > range.max || frame.to_pixels(0, tick.value).y < shelf_y + 1.5 * theme.tick_size;
        });
        const double needed = canvas.measure("∞", theme.tick_size, Weight::regular).width + 12;
        if (frame.plot.x - rect.x >= needed) frame.y_ticks.push_back({shelf, "∞"});
    }
    draw_background(options, frame, canvas, theme);
    draw_horizontal_rule(context, frame, canvas, {.color = theme.series[1], .width = 1.5, .dash = 6});
    const double pitch = frame.plot.width / (frame.x.high - frame.x.low);
    const double radius = std::clamp(pitch * 0.45, 2.6, 3.4);
    draw_small(dots(input.ghost, shelf), radius - 1.2, ghost_stroke(theme).color, frame, canvas);
    draw_small(other, radius - 1.2, theme.text_dim, frame, canvas);
    if (pitch > 2.5 * radius)
        draw_apart(current, radius, frame, canvas, theme);
    else
        draw_close(current, radius - 0.8, frame, canvas, theme);
    const std::vector<Mark> marks = marks_to_drag(handles(input), input);
    draw_mark_lines(marks, frame, canvas);
    if (input.cursor_shown)
        for (const double place : places_of(input.cursor.pair, input.results))
            draw_vertical_rule(place, frame, canvas, cursor_stroke(theme));
    draw_axes(options, frame, canvas, theme);
    draw_legend(entries, rect, room, canvas, theme);
    draw_mark_names(marks, input, frame, canvas, [&](const Rect& box) {
        return count_in(box, current.rotated, frame) + count_in(box, current.unrotated, frame);
    });
    return frame;
}

std::optional<Cursor> WavelengthsFigure::pick(const FigureInput& input, const Frame& frame, Point at) const {
    if (axis == WavelengthsAxis::pair) return pick_pair(input, frame, at);
    const auto channel = index_across(frame, at, input.experiment().head_dim);
    if (!channel) return std::nullopt;
    Cursor cursor = input.cursor;
    cursor.pair = 0;
    const PairLayout layout = layout_of(input.results);
    while (layout.first(cursor.pair) != *channel && layout.second(cursor.pair) != *channel) ++cursor.pair;
    return cursor;
}

std::string WavelengthsFigure::readout(const FigureInput& input) const {
    const auto lengths = wavelengths(input.results.problem->lowered);
    const int pair = std::clamp(input.cursor.pair, 0, static_cast<int>(lengths.size()) - 1);
    const double length = lengths[static_cast<std::size_t>(pair)];
    const PairLayout layout = layout_of(input.results);
    std::string text = fmt::format("pair {}, channels {} and {}   wavelength {} {}", pair, layout.first(pair),
                                   layout.second(pair), readable(length), unit_of_positions(input.experiment()));
    if (std::isfinite(length))
        text +=
            fmt::format("   {} turns over the sequence", readable(spanned_positions(*input.results.problem) / length));
    return text;
}

std::vector<Handle> WavelengthsFigure::handles(const FigureInput& input) const {
    std::vector<Handle> all;
    if (axis == WavelengthsAxis::pair) all = pair_handles(input);
    for (Handle& trained : trained_context_handles(input)) all.push_back(std::move(trained));
    return all;
}

DataTable WavelengthsFigure::table(const Results& results) const {
    const auto lengths = wavelengths(results.problem->lowered);
    return {.shape = {static_cast<std::int64_t>(lengths.size())}, .columns = {"wavelength"}, .values = lengths};
}

ValueRange WavelengthsFigure::shown_range(const FigureInput& input) {
    const double context = spanned_positions(*input.results.problem);
    ValueRange range = finite_range(wavelengths(input.results.problem->lowered));
    if (range.max == 0) range = {2 * std::numbers::pi, context};
    range = united(range, {context, context});
    for (const Results* compared : {input.reference, input.ghost}) {
        if (!compared) continue;
        const double other = spanned_positions(*compared->problem);
        range = united(range, {other, other});
        const ValueRange more = finite_range(wavelengths(compared->problem->lowered));
        if (more.max > 0) range = united(range, more);
    }
    return range;
}

PairLayout WavelengthsFigure::layout_of(const Results& results) {
    const Experiment& experiment = results.request.experiment;
    return {experiment.pairing, experiment.head_dim, results.problem->lowered.rotary_dim};
}

Axis WavelengthsFigure::channel_axis(const FigureInput& input) {
    return {.title = "channel", .low = -0.5, .high = input.experiment().head_dim - 0.5, .whole = true};
}

std::vector<double> WavelengthsFigure::places_of(int pair, const Results& results) const {
    if (axis == WavelengthsAxis::pair) return {static_cast<double>(pair)};
    const PairLayout layout = layout_of(results);
    return {static_cast<double>(layout.first(pair)), static_cast<double>(layout.second(pair))};
}

auto WavelengthsFigure::dots(const Results* results, double shelf) const -> Dots {
    Dots all;
    if (!results) return all;
    const auto lengths = wavelengths(results->problem->lowered);
    // If waves are added, each channel has its own wavelength; the channels of a pair may differ.
    const std::vector<int>& waves = results->problem->lowered.added_waves;
    for (std::size_t pair = 0; pair < lengths.size(); ++pair) {
        const std::vector<double> places = places_of(static_cast<int>(pair), *results);
        for (std::size_t which = 0; which < places.size(); ++which) {
            const bool has_own = places.size() > 1 && !waves.empty();
            const double length = lengths[has_own ? static_cast<std::size_t>(waves[2 * pair + which]) / 2 : pair];
            const bool rotates = std::isfinite(length);
            (rotates ? all.rotated : all.unrotated).push_back({places[which], rotates ? length : shelf});
        }
    }
    return all;
}

void WavelengthsFigure::draw_small(const Dots& dots, double radius, Color color, const Frame& frame, Canvas& canvas) {
    for (const auto* points : {&dots.rotated, &dots.unrotated})
        if (!points->empty()) draw_dots(*points, radius, color, frame, canvas);
}

void WavelengthsFigure::draw_close(const Dots& dots, double radius, const Frame& frame, Canvas& canvas,
                                   const Theme& theme) {
    draw_dots(dots.rotated, radius, theme.series[0], frame, canvas);
    draw_dots(dots.unrotated, radius, theme.series[3], frame, canvas);
}

void WavelengthsFigure::draw_apart(const Dots& dots, double radius, const Frame& frame, Canvas& canvas,
                                   const Theme& theme) {
    for (const Point& point : dots.rotated) draw_point(point, radius, theme.series[0], frame, canvas, theme);
    for (const Point& point : dots.unrotated) draw_point(point, radius, theme.series[3], frame, canvas, theme);
}

}  // namespace ropewalk
