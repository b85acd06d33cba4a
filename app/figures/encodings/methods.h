// The factor by which each method of context extension divides each pair's frequency.
#pragma once

#include "app/figures/parts/curves/curve_figure.h"
#include "app/figures/parts/curves/place_of_encoding.h"
#include "core/analysis/encodings/extension_methods.h"

namespace ropewalk {

enum class MethodsAxis { pair, turns };
template <>
struct EnumText<MethodsAxis> {
    static constexpr std::array<EnumName, 2> names{{{"pair", "Pair"}, {"turns", "Turns"}}};
};

struct MethodsFigure : CurveFigure<MethodsFigure> {
    static constexpr auto id = "methods", title = "Extension methods";
    static constexpr auto summary =
        "What each method divides RoPE's frequency by, for every pair: 1 keeps it, s interpolates it.";
    Depicted depicted() const { return Depicted::encoding; }
    static constexpr auto table_shape = "[d/2, 2 + methods]";
    double factor = 0;
    int trained = 0;
    MethodsAxis axis = MethodsAxis::turns;

    bool operator==(const MethodsFigure&) const = default;

    static void fields(auto& s, auto&& f) {
        f(Field{.name = "axis",
                .label = "Against",
                .help = "The pair's number, or its turns over the training length. On the axis of turns you can drag "
                        "the encoding's thresholds, if it has any."},
          s.axis);
        f(Field{.name = "factor",
                .label = "Compare at s",
                .unit = "×",
                .min = 0,
                .max = 1024,
                .slider_max = 64,
                .min_means = "encoding's",
                .help = "Factor of the context extension, the same for all methods. 0: the encoding's own, or 8."},
          s.factor);
        f(Field{.name = "trained",
                .label = "Compare at L",
                .unit = "tokens",
                .min = 0,
                .max = longest_sequence,
                .min_means = "encoding's",
                .help = "Training length to extend from. 0: the encoding's own, or 4096."},
          s.trained);
        zoom_fields(s, f);
    }

    bool draws_reference() const { return false; }
    Needs needs(const Experiment& experiment, PlotPixels) const { return {question(experiment)}; }

    /// Returns s and L, unless the encoding has the same values.
    Badge badge(const FigureInput& input) const {
        const Experiment& experiment = input.experiment();
        const ExtensionMethodsQuestion asked = question(experiment);
        if (number_meaning(experiment, Meaning::extension_factor) == asked.factor &&
            number_meaning(experiment, Meaning::trained_context) == asked.trained)
            return {};
        return {fmt::format("s = {}, L = {}", readable(asked.factor), readable(asked.trained)), "Extension",
                "Factor s and training length L of the extension, the same for all methods."};
    }

    std::optional<Cursor> pick(const FigureInput& input, const Frame& frame, Point at) const {
        if (!frame.plot.contains(at)) return std::nullopt;
        if (axis == MethodsAxis::pair) return pick_on(input, frame, at);
        const auto found = input.results.find(question(input.experiment()));
        if (!found) return std::nullopt;
        const std::vector<double>& turns = found->turns;
        const double wanted = frame.x_at(at.x);
        const auto nearest = std::min_element(turns.begin(), turns.end(), [&](double a, double b) {
            return std::abs(std::log(a / wanted)) < std::abs(std::log(b / wanted));
        });
        return Cursor{input.cursor.query, input.cursor.key, static_cast<int>(nearest - turns.begin())};
    }

    std::string readout(const FigureInput& input) const {
        const auto found = input.results.find(question(input.experiment()));
        if (!found) return fmt::format("pair {}", input.cursor.pair);
        const std::size_t pair = pair_at_cursor(input, found->turns.size());
        std::string own, others;  // the former first, since there may not be room for all
        for (const ExtensionMethod& method : found->methods)
            (method.id == id_of(input.experiment().encoding) ? own : others) +=
                fmt::format("   {} ÷ {}", method.title, readable(method.divisors[pair]));
        return fmt::format("pair {}{}   turns over L {}{}", pair, own, readable(found->turns[pair]), others);
    }

    std::vector<Handle> handles(const FigureInput& input) const {
        return axis == MethodsAxis::turns ? threshold_handles(input) : pair_handles(input);
    }

    DataTable table(const Results& results) const {
        const auto found = results.find(question(results.request.experiment));
        std::vector<std::pair<std::string, std::vector<double>>> columns{{"pair", counted(found->turns.size())},
                                                                         {"turns", found->turns}};
        for (const ExtensionMethod& method : found->methods) columns.emplace_back(method.id, method.divisors);
        return table_of_columns(columns);
    }

    std::vector<CurvePlot> plots_of(const FigureInput& input) const {
        const Theme& theme = input.theme;
        const auto found = input.results.find(question(input.experiment()));
        CurvePlot plot{.x = pair_axis(input),
                       .y = {.title = "divisor of the frequency",
                             .brief = "divisor",
                             .low = 1,
                             .high = 0,
                             .scale = AxisScale::logarithmic}};
        if (!found) {
            plot.message = still_computing;
            return {plot};
        }
        const std::vector<double>& turns = found->turns;
        if (axis == MethodsAxis::turns) {
            plot.x = {.title = "turns over the training length",
                      .brief = "turns",
                      .low = turns.back() / 1.2,
                      .high = turns.front() * 1.2,
                      .scale = AxisScale::logarithmic};
            plot.cursor_x = turns[pair_at_cursor(input, turns.size())];
            plot.marks = marks_of(threshold_handles(input));
        } else {
            plot.marks = marks_to_drag(pair_handles(input), input);
        }
        for (const ExtensionMethod& method : found->methods) {
            const bool is_own = method.id == id_of(input.experiment().encoding);
            const Stroke stroke = theme.curve(place_of_encoding(method.id, input.experiment()));
            plot.series.push_back(
                {.label = method.title,
                 .points = points_of(axis == MethodsAxis::turns ? turns : counted(turns.size()), method.divisors),
                 .color = stroke.color,
                 .width = is_own ? 3.5 : stroke.width,  // wider, because it is below the others
                 .is_compared = is_own});
        }
        return {plot};
    }

  private:
    ExtensionMethodsQuestion question(const Experiment& experiment) const {
        constexpr double usual_factor = 8, usual_context = 4096, max = 1024;
        const double own_context = number_meaning(experiment, Meaning::trained_context).value_or(0);
        const double context = trained > 0 ? trained : own_context > 0 ? own_context : usual_context;
        const bool is_exceeded = own_context > 0 && experiment.seq_len > own_context;
        const double own_factor = number_meaning(experiment, Meaning::extension_factor)
                                      .value_or(is_exceeded ? experiment.seq_len / own_context : usual_factor);
        return {.factor = factor >= 1 ? factor : std::clamp(own_factor, 1.0, max),
                .trained = static_cast<int>(context)};
    }
};

}  // namespace ropewalk
