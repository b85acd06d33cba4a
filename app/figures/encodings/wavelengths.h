// The wavelengths of all pairs, compared with the sequence length.
#pragma once

#include "app/figures/parts/curves/zoom.h"
#include "app/figures/parts/tables/frequency_formula.h"
#include "core/analysis/encodings/rotation.h"

namespace ropewalk {

enum class WavelengthsAxis { pair, channel };
template <>
struct EnumText<WavelengthsAxis> {
    static constexpr std::array<EnumName, 2> names{{{"pair", "Pair"}, {"channel", "Channel"}}};
};

struct WavelengthsFigure : ZoomableFigure {
    static constexpr auto id = "wavelengths", title = "Wavelengths";
    static constexpr auto summary =
        "2π/wₜ of every pair, or of every channel in storage order, on a logarithmic axis with the sequence length; "
        "pairs that "
        "are not rotated are at ∞.";
    Depicted depicted() const { return Depicted::encoding; }
    static constexpr auto table_shape = "[d/2]";
    WavelengthsAxis axis = WavelengthsAxis::pair;

    bool operator==(const WavelengthsFigure&) const = default;

    static void fields(auto& s, auto&& f) {
        f(Field{.name = "axis",
                .label = "Against",
                .help = "Channel: in the order in which q and k are stored. Two channels of equal height form a pair, "
                        "as set by the pairing."},
          s.axis);
        zoom_fields(s, f);
    }

    bool draws_reference() const { return true; }
    Needs needs(const Experiment&, PlotPixels) const { return {}; }

    Frame draw(const FigureInput& input, Canvas& canvas, const Rect& rect) const {
        const Theme& theme = input.theme;
        const auto lengths = wavelengths(input.results.problem->lowered);
        const double context = spanned_positions(*input.results.problem);
        const ValueRange range = input.reached("y", shown_range(input));
        const double low = range.min / 1.6, shelf = range.max * std::pow(range.max / low, 0.12);
        const std::string unit = unit_of_positions(input.experiment());
        const double end = input.experiment().head_dim - 0.5;
        const Axis channels{.title = "channel", .low = -0.5, .high = end, .whole = true};
        PlotOptions options{.x = input.reached(axis == WavelengthsAxis::pair ? pair_axis(lengths.size()) : channels)};
        options.y = {.title = fmt::format("wavelength ({})", unit),
                     .low = low,
                     .high = shelf * std::pow(range.max / low, 0.06),
                     .scale = AxisScale::logarithmic};
        options = zoomed(options, {x_range, y_range});
        const Dots current = dots(&input.results, shelf), other = dots(input.reference, shelf);
        std::vector<LegendEntry> entries{
            {.label = "wavelength 2π/wₜ", .color = theme.series[0], .dots = true},
            {.label = fmt::format("sequence, {} {}", readable(context), unit), .color = theme.series[1], .dash = 6}};
        if (input.reference) entries.push_back({.label = input.reference_name, .color = theme.text_dim, .dots = true});
        const bool some_unrotated = !current.unrotated.empty() || !other.unrotated.empty();
        if (some_unrotated) entries.push_back({.label = "∞ (not rotated)", .color = theme.series[3], .dots = true});
        const Rect room = without_legend(entries, rect, canvas, theme);
        Frame frame = layout(options, canvas, room, theme);
        if (some_unrotated) {
            const double shelf_y = frame.to_pixels(0, shelf).y;
            std::erase_if(frame.y_ticks, [&](const Tick& tick) {
                return tick.value > range.max || frame.to_pixels(0, tick.value).y < shelf_y + 1.5 * theme.tick_size;
            });
            const double needed = canvas.measure("∞", theme.tick_size, Weight::regular).width + 12;
            if (frame.y.contains(shelf) && frame.plot.x - rect.x >= needed) frame.y_ticks.push_back({shelf, "∞"});
        }
        draw_background(options, frame, canvas, theme);
        draw_horizontal_rule(context, frame, canvas, {.color = theme.series[1], .width = 1.5, .dash = 6});
        const double pitch = frame.plot.width / (frame.x.high - frame.x.low);
        const double radius = std::clamp(pitch * 0.45, 3.0, point_radius);
        const Dots before = dots(input.ghost, shelf);
        for (const auto& [others, color] : {std::pair{&before, ghost_stroke(theme).color}, {&other, theme.text_dim}})
            for (const auto* points : {&others->rotated, &others->unrotated})
                if (!points->empty()) draw_dots(*points, radius - 1.2, color, frame, canvas);
        for (const auto& [points, color] :
             {std::pair{&current.rotated, theme.series[0]}, {&current.unrotated, theme.series[3]}})
            if (pitch > 2.5 * radius)
                for (const Point& point : *points) draw_point(point, radius, color, frame, canvas, theme);
            else
                draw_dots(*points, radius - 0.8, color, frame, canvas);
        const std::vector<Mark> marks = marks_to_drag(handles(input), input);
        draw_mark_lines(marks, frame, canvas);
        if (input.cursor_shown)
            for (const double place : places_of(input.cursor.pair, input.results))
                draw_cursor_band(place, frame, canvas, theme);
        draw_axes(options, frame, canvas, theme);
        draw_legend(entries, rect, room, frame, canvas, theme);
        draw_mark_names(marks, input, frame, canvas, [&](const Rect& box) {
            return count_in(box, current.rotated, frame) + count_in(box, current.unrotated, frame);
        });
        return frame;
    }

    std::optional<Cursor> pick(const FigureInput& input, const Frame& frame, Point at) const {
        if (axis == WavelengthsAxis::pair) return pick_on(input, frame, at);
        const auto channel = index_across(frame, at, input.experiment().head_dim);
        if (!channel) return std::nullopt;
        Cursor cursor = input.cursor;
        cursor.pair = 0;
        const PairLayout layout = layout_of(input.results);
        while (layout.first(cursor.pair) != *channel && layout.second(cursor.pair) != *channel) ++cursor.pair;
        return cursor;
    }

    std::string readout(const FigureInput& input) const {
        const auto lengths = wavelengths(input.results.problem->lowered);
        const int pair = std::clamp(input.cursor.pair, 0, static_cast<int>(lengths.size()) - 1);
        const double length = lengths[static_cast<std::size_t>(pair)];
        const PairLayout layout = layout_of(input.results);
        std::string text =
            fmt::format("pair {}   wavelength {} {}", pair, readable(length), unit_of_positions(input.experiment()));
        if (std::isfinite(length))
            text += fmt::format("   turns over the sequence {}",
                                readable(spanned_positions(*input.results.problem) / length));
        return text + fmt::format("   channels {} and {}", layout.first(pair), layout.second(pair));
    }

    std::vector<Handle> handles(const FigureInput& input) const {
        const bool is_of_pairs = axis == WavelengthsAxis::pair;
        return joined(is_of_pairs ? pair_handles(input) : std::vector<Handle>(), trained_context_handles(input));
    }

    DataTable table(const Results& results) const {
        const auto lengths = wavelengths(results.problem->lowered);
        return {.shape = {static_cast<std::int64_t>(lengths.size())},
                .columns = {"wavelength"},
                .values = lengths,
                .formula = frequency_formula(results.request.experiment,
                                             "with np.errstate(divide='ignore'):\n    data = 2*np.pi / w")};
    }

  private:
    /// Returns a range that includes the wavelengths and lengths of the head, the reference and the state before the
    /// drag.
    static ValueRange shown_range(const FigureInput& input) {
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

    static PairLayout layout_of(const Results& results) {
        const Experiment& experiment = results.request.experiment;
        return {experiment.pairing, experiment.head_dim, results.problem->lowered.rotary_dim};
    }

    /// Returns the places of a pair: one on an axis of pairs, two on an axis of channels.
    std::vector<double> places_of(int pair, const Results& results) const {
        if (axis == WavelengthsAxis::pair) return {static_cast<double>(pair)};
        const PairLayout layout = layout_of(results);
        return {static_cast<double>(layout.first(pair)), static_cast<double>(layout.second(pair))};
    }

    /// Points for rotated pairs (place, wavelength) and for the others (place, shelf).
    struct Dots {
        std::vector<Point> rotated, unrotated;
    };
    /// Returns the dots of a head; none without results.
    Dots dots(const Results* results, double shelf) const {
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
};

}  // namespace ropewalk
