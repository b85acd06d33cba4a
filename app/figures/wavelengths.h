// The ladder of wavelengths against the context length.
#pragma once

#include "app/figures/handle.h"
#include "core/analysis/rotation.h"

namespace ropewalk {

struct WavelengthsFigure {
    static constexpr auto id = "wavelengths", title = "Wavelengths";
    static constexpr auto summary =
        "2π/wₜ of every pair on a log axis, against the context; pairs that do not rotate lie on the ∞ shelf.";
    static constexpr auto table_shape = "[d/2]";

    bool operator==(const WavelengthsFigure&) const = default;

    template <class S, class F>
    static void fields(S&, F&&) {}

    Needs needs(const Experiment&, PlotPixels) const { return {}; }

    Frame draw(const FigureInput& input, Canvas& canvas, const Rect& rect) const {
        const Theme& theme = input.theme;
        const auto lengths = wavelengths(input.results.problem->lowered);
        const double context = spanned_positions(*input.results.problem);
        ValueRange range = finite_range(lengths);
        if (range.greatest == 0) range = {2 * std::numbers::pi, context};
        range = united(range, {context, context});
        std::vector<double> of_reference;
        if (input.reference) {  // one range for both, whichever is shown
            of_reference = wavelengths(input.reference->problem->lowered);
            const double other = spanned_positions(*input.reference->problem);
            range = united(range, {other, other});
            if (const ValueRange more = finite_range(of_reference); more.greatest > 0) range = united(range, more);
        }
        range = input.reached("y", range);
        const double low = range.least / 1.6, greatest = range.greatest;
        const double shelf = greatest * std::pow(greatest / low, 0.12);
        PlotOptions options;
        options.x = pair_axis(lengths.size());
        options.y = {.title = "wavelength (tokens)",
                     .low = low,
                     .high = shelf * std::pow(greatest / low, 0.06),
                     .scale = AxisScale::logarithmic};
        std::vector<LegendEntry> entries{
            {.label = "wavelength 2π/wₜ", .color = theme.series[0], .dots = true},
            {.label = fmt::format("context, {} tokens", readable(context)), .color = theme.series[1], .dash = 6}};
        if (input.reference) entries.push_back({.label = input.reference_name, .color = theme.text_dim, .dots = true});
        const bool some_stand_still =
            std::any_of(lengths.begin(), lengths.end(), [](double length) { return !std::isfinite(length); });
        if (some_stand_still) entries.push_back({.label = "∞ (not rotated)", .color = theme.series[3], .dots = true});
        const Rect room = below_legend(entries, rect, canvas, theme);
        Frame frame = layout(options, canvas, room, theme);
        if (some_stand_still) {
            const double shelf_y = frame.to_pixels(0, shelf).y;
            std::erase_if(frame.y_ticks, [&](const Tick& tick) {
                return tick.value > greatest || frame.to_pixels(0, tick.value).y < shelf_y + 1.5 * theme.tick_size;
            });
            const double needed = canvas.measure("∞", theme.tick_size, Weight::regular).width + 12;
            if (frame.plot.x - rect.x >= needed) frame.y_ticks.push_back({shelf, "∞"});
        }
        draw_background(options, frame, canvas, theme);
        draw_horizontal_rule(context, frame, canvas, {.color = theme.series[1], .width = 1.5, .dash = 6});
        const double radius = std::clamp(frame.plot.width / static_cast<double>(lengths.size()) * 0.45, 2.6, 3.4);
        std::vector<Point> before;
        for (std::size_t pair = 0; pair < of_reference.size(); ++pair)
            before.push_back(
                {static_cast<double>(pair), std::isfinite(of_reference[pair]) ? of_reference[pair] : shelf});
        if (!before.empty()) draw_dots(before, radius - 1.2, theme.text_dim, frame, canvas);
        std::vector<Point> rotated, unrotated;
        for (std::size_t pair = 0; pair < lengths.size(); ++pair) {
            const bool rotates = std::isfinite(lengths[pair]);
            (rotates ? rotated : unrotated).push_back({static_cast<double>(pair), rotates ? lengths[pair] : shelf});
        }
        const bool stand_apart = frame.plot.width / static_cast<double>(lengths.size()) > 2.5 * radius;
        for (const auto& [points, color] :
             {std::pair{&rotated, theme.series[0]}, std::pair{&unrotated, theme.series[3]}})
            if (!stand_apart)
                draw_dots(*points, radius - 0.8, color, frame, canvas);
            else
                for (const Point& point : *points) draw_point(point, radius, color, frame, canvas, theme);
        const std::vector<Mark> marks = marks_to_drag(handles(input), input);
        draw_mark_lines(marks, input, frame, canvas);
        if (input.cursor_shown) draw_vertical_rule(input.cursor.pair, frame, canvas, cursor_stroke(theme));
        draw_axes(options, frame, canvas, theme);
        draw_legend(entries, rect, room, canvas, theme);
        draw_mark_names(marks, input, frame, canvas, [&](const Rect& box) {
            return count_in(box, rotated, frame) + count_in(box, unrotated, frame);
        });
        return frame;
    }

    std::optional<Cursor> pick(const FigureInput& input, const Frame& frame, Point at) const {
        return pick_pair(input, frame, at);
    }

    std::string readout(const FigureInput& input) const {
        const auto lengths = wavelengths(input.results.problem->lowered);
        const double length =
            lengths[static_cast<std::size_t>(std::clamp(input.cursor.pair, 0, static_cast<int>(lengths.size()) - 1))];
        std::string text = fmt::format("pair {}   wavelength {} tokens", input.cursor.pair, readable(length));
        if (std::isfinite(length))
            text += fmt::format("   {} turns over the context",
                                readable(spanned_positions(*input.results.problem) / length));
        return text;
    }

    std::vector<Handle> handles(const FigureInput& input) const {
        std::vector<Handle> all = pair_handles(input);
        for (Handle& trained : trained_context_handles(input)) all.push_back(std::move(trained));
        return all;
    }

    DataTable table(const Results& results) const {
        const auto lengths = wavelengths(results.problem->lowered);
        return {.shape = {static_cast<std::int64_t>(lengths.size())}, .columns = {"wavelength"}, .values = lengths};
    }
};

}  // namespace ropewalk
