#include "app/figures/heads/bands.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/figures/parts/marks/pair_marks.h"

namespace ropewalk {

Frame BandsFigure::draw(const FigureInput& input, Canvas& canvas, const Rect& rect) const {
    const Theme& theme = input.theme;
    const LoweredEncoding& lowered = input.results.problem->lowered;
    const auto bands = input.results.find(BandsQuestion{});
    const bool has_marks = rect.height >= min_height_of_two + wavelength_marks_height;
    const double above = has_marks ? wavelength_marks_height : 0;
    const Rect plots{rect.x, rect.y + above, rect.width, rect.height - above};
    const bool has_phases = plots.height >= min_height_of_two;
    const auto [upper_options, lower_options] = options(input, bands.get(), has_phases);
    const auto [upper_part, lower_part] = has_phases ? stacked(plots, 0.58, 6) : std::pair{plots, Rect{}};
    Frame upper = layout(upper_options, canvas, upper_part, theme);
    Frame lower = has_phases ? layout(lower_options, canvas, lower_part, theme) : Frame{};
    if (has_phases) align(upper, lower);

    const std::vector<Color> colors = colors_of_pairs(lowered, theme);
    draw_plot(upper_options, upper, {}, input, canvas, [&] {
        for (std::size_t pair = 0; bands && pair < bands->size(); ++pair) {
            const double amplitude[] = {(*bands)[pair].amplitude};
            draw_bars({amplitude, static_cast<double>(pair)}, 0.8, colors[pair], colors[pair], upper, canvas);
        }
    });
    if (has_marks)
        draw_wavelength_marks(lowered, upper, canvas, theme);
    else
        canvas.report_omitted("the wavelengths above the pairs");
    if (!has_phases) {
        canvas.report_omitted("the phases");
        upper.outer = rect;
        return upper;
    }

    draw_plot(lower_options, lower, {}, input, canvas, [&] {
        if (bands) draw_phases(*bands, colors, lower, canvas, theme);
    });
    lower.outer = rect;
    lower.above = {upper};
    return lower;
}

std::string BandsFigure::readout(const FigureInput& input) const {
    const auto bands = input.results.find(BandsQuestion{});
    if (!bands) return fmt::format("pair {}", input.cursor.pair);
    const std::size_t pair = pair_at_cursor(input, bands->size());
    return fmt::format("pair {}   wavelength {} tokens   amplitude {}   phase {} rad", pair,
                       readable(wavelengths(input.results.problem->lowered)[pair]), readable((*bands)[pair].amplitude),
                       readable((*bands)[pair].phase));
}

DataTable BandsFigure::table(const Results& results) const {
    const auto bands = results.find(BandsQuestion{});
    return table_of_columns({{"wavelength", wavelengths(results.problem->lowered)},
                             {"amplitude", column_of(*bands, &Band::amplitude)},
                             {"phase", column_of(*bands, &Band::phase)}});
}

void BandsFigure::draw_with(const BrushMove& move, const Frame& frame, const FigureInput& input,
                            Experiment& experiment) const {
    const Frame* const plot = plot_at(frame, move.start);
    auto bands = current_bands(input, experiment);
    if (!plot || bands.empty()) return;
    const int last = static_cast<int>(bands.size()) - 1;
    const auto pair_at = [&](Point at) {
        return static_cast<int>(std::clamp(std::round(plot->x_at(at.x)), 0.0, static_cast<double>(last)));
    };
    const int from = pair_at(move.from), to = pair_at(move.to);
    const double from_value = plot->y_at(move.from.y), to_value = plot->y_at(move.to.y);
    const bool is_phase = frame.above.empty() ? false : plot == &frame;
    for (int pair = std::min(from, to); pair <= std::max(from, to); ++pair) {
        const double fraction = from == to ? 1 : static_cast<double>(pair - from) / (to - from);
        double value = from_value + fraction * (to_value - from_value);
        if (move.brush == Brush::erase) value = 0;
        value = rounded_to_pixel(value, *plot);
        Band& band = bands[static_cast<std::size_t>(pair)];
        if (is_phase)
            band.phase = std::numbers::pi * std::clamp(value, -1.0, 1.0);
        else
            band.amplitude = std::clamp(value, 0.0, max_amplitude);
    }
    experiment = with_bands(std::move(experiment), bands);
}

void BandsFigure::apply(std::size_t preset, const FigureInput& input, Experiment& experiment) const {
    auto bands = current_bands(input, experiment);
    if (bands.empty()) return;
    const LoweredEncoding& lowered = input.results.problem->lowered;
    const std::size_t pairs = bands.size(), middle = pairs / 2, chosen = pair_at_cursor(input, pairs);
    double sum = 0;
    for (const Band& band : bands) sum += band.amplitude;
    if (!(sum > 0)) sum = usual_sum;
    const std::string_view name = all_presets[preset].id;
    const auto shape = [&](auto&& amplitude_of) {
        double total = 0;
        for (std::size_t pair = 0; pair < pairs; ++pair) total += bands[pair].amplitude = amplitude_of(pair);
        for (Band& band : bands) band.amplitude = std::min(band.amplitude * (sum / total), max_amplitude);
    };
    const auto aim = [&](int distance) {
        for (std::size_t pair = 0; pair < pairs; ++pair) {
            const auto step = std::int64_t{distance} * experiment.positions.stride;
            bands[pair].phase = -angle_of(phase_at(step, phase_of(lowered.inv_freq[pair])));
        }
    };
    if (name == "equal") shape([](std::size_t) { return 1.0; });
    if (name == "falling") shape([](std::size_t pair) { return 1 / (static_cast<double>(pair) + 1); });
    if (name == "fast") shape([&](std::size_t pair) { return pair < std::max<std::size_t>(1, middle) ? 1.0 : 0.0; });
    if (name == "slow") shape([&](std::size_t pair) { return pair >= middle ? 1.0 : 0.0; });
    if (name == "one") shape([&](std::size_t pair) { return pair == chosen ? 1.0 : 0.0; });
    if (name == "in_phase") aim(0);
    if (name == "previous") aim(1);
    if (name == "cursor") aim(std::max(0, input.cursor.distance()));
    experiment = with_bands(std::move(experiment), bands);
}

std::vector<Band> BandsFigure::current_bands(const FigureInput& input, const Experiment& experiment) {
    if (auto listed = listed_bands(experiment)) return *listed;
    const auto known = input.results.find(BandsQuestion{});
    const bool fits = known && static_cast<int>(known->size()) == experiment.head_dim / 2;
    return fits ? *known : std::vector<Band>{};
}

std::pair<PlotOptions, PlotOptions> BandsFigure::options(const FigureInput& input, const std::vector<Band>* bands,
                                                         bool has_phases) {
    double max = 0;
    for (std::size_t pair = 0; bands && pair < bands->size(); ++pair) max = std::max(max, (*bands)[pair].amplitude);
    max = input.reached("amplitude", {0, max}).max;
    PlotOptions upper, lower;
    upper.x = input.reached(pair_axis(input));
    upper.x_labels = !has_phases;
    upper.y = {.title = "amplitude $a_t$", .low = 0, .high = max > 0 ? max * headroom : 1};
    if (const auto& drawn = input.drawn_on ? input.drawn_on : input.was_drawn_on) {
        const Frame& last = drawn->above.empty() ? *drawn : drawn->above.front();
        const bool suits = max <= last.y.high && max * most_headroom >= last.y.high;
        if (input.drawn_on || suits) upper.y.low = last.y.low, upper.y.high = last.y.high;
    }
    lower.x = upper.x;
    lower.y = {.title = "phase $\\varphi_t/\\pi$", .low = -1, .high = 1};
    return {upper, lower};
}

void BandsFigure::draw_phases(const std::vector<Band>& bands, const std::vector<Color>& colors, const Frame& frame,
                              Canvas& canvas, const Theme& theme) {
    const double room = frame.plot.width / static_cast<double>(bands.size());
    for (std::size_t pair = 0; pair < bands.size(); ++pair) {
        const bool is_silent = bands[pair].amplitude == 0;
        const Color color = is_silent ? theme.text_faint.with_alpha(0.5) : colors[pair];
        const Point head{static_cast<double>(pair), bands[pair].phase / std::numbers::pi};
        const Point stem[] = {{head.x, 0}, head};
        draw_path(stem, {.color = color, .width = 1.5}, frame, canvas);
        if (room >= 7)
            draw_point(head, 3, color, frame, canvas, theme);
        else
            draw_dots(std::span(&head, 1), std::clamp(room / 2, 1.0, 2.5), color, frame, canvas);
    }
}

}  // namespace ropewalk
