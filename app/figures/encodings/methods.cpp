#include "app/figures/encodings/methods.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace ropewalk {

Badge MethodsFigure::badge(const FigureInput& input) const {
    const Experiment& experiment = input.experiment();
    const ExtensionMethodsQuestion asked = question(experiment);
    if (number_meaning(experiment, Meaning::extension_factor) == asked.factor &&
        number_meaning(experiment, Meaning::trained_context) == asked.trained)
        return {};
    return {fmt::format("s = {}, L = {}", readable(asked.factor), readable(asked.trained)), "Extension",
            "Factor s and training length L of the extension, the same for all methods."};
}

Frame MethodsFigure::draw(const FigureInput& input, Canvas& canvas, const Rect& rect) const {
    const auto plots = beside_ghost(input, [this](const FigureInput& of) { return std::vector{plot_of(of)}; });
    return draw_curves(plots, input, canvas, rect);
}

std::optional<Cursor> MethodsFigure::pick(const FigureInput& input, const Frame& frame, Point at) const {
    if (!frame.plot.contains(at)) return std::nullopt;
    if (axis == MethodsAxis::pair) return pick_pair(input, frame, at);
    const auto found = input.results.find(question(input.experiment()));
    if (!found) return std::nullopt;
    const std::vector<double>& turns = found->turns;
    const double wanted = frame.x_at(at.x);
    const auto nearest = std::min_element(turns.begin(), turns.end(), [&](double a, double b) {
        return std::abs(std::log(a / wanted)) < std::abs(std::log(b / wanted));
    });
    return Cursor{input.cursor.query, input.cursor.key, static_cast<int>(nearest - turns.begin())};
}

std::string MethodsFigure::readout(const FigureInput& input) const {
    const auto found = input.results.find(question(input.experiment()));
    if (!found) return fmt::format("pair {}", input.cursor.pair);
    const auto pair = std::min(static_cast<std::size_t>(input.cursor.pair), found->turns.size() - 1);
    std::string text = fmt::format("pair {}   {} turns", pair, readable(found->turns[pair]));
    for (const ExtensionMethod& method : found->methods)
        text += fmt::format("   {} ÷ {}", method.title, readable(method.divisors[pair]));
    return text;
}

std::vector<Handle> MethodsFigure::handles(const FigureInput& input) const {
    return axis == MethodsAxis::turns ? threshold_handles(input) : pair_handles(input);
}

DataTable MethodsFigure::table(const Results& results) const {
    const auto found = results.find(question(results.request.experiment));
    std::vector<std::pair<std::string, std::vector<double>>> columns{{"pair", counted(found->turns.size())},
                                                                     {"turns", found->turns}};
    for (const ExtensionMethod& method : found->methods) columns.emplace_back(method.id, method.divisors);
    return table_of_columns(columns);
}

CurvePlot MethodsFigure::plot_of(const FigureInput& input) const {
    const Theme& theme = input.theme;
    const auto found = input.results.find(question(input.experiment()));
    CurvePlot plot{.x = pair_axis(input),
                   .y = {.title = "divisor of the frequency",
                         .brief = "divisor",
                         .low = 1,
                         .high = 0,
                         .scale = AxisScale::logarithmic},
                   .cursor_x = static_cast<double>(input.cursor.pair)};
    if (!found) {
        plot.message = still_computing;
        return plot;
    }
    const std::vector<double>& turns = found->turns;
    if (axis == MethodsAxis::turns) {
        plot.x = {.title = "turns over the training length",
                  .brief = "turns",
                  .low = turns.back() / 1.2,
                  .high = turns.front() * 1.2,
                  .scale = AxisScale::logarithmic};
        plot.cursor_x = turns[std::min(static_cast<std::size_t>(input.cursor.pair), turns.size() - 1)];
        plot.marks = marks_of(threshold_handles(input));
    } else {
        plot.marks = marks_to_drag(pair_handles(input), input);
    }
    for (const ExtensionMethod& method : found->methods) {
        const bool is_own = method.id == id_of(input.experiment().encoding);
        const Stroke stroke = theme.curve(place_of_encoding(method.id, input.experiment()),
                                          is_own ? 3 : 1.5);  // wider, because it lies below the others
        Series series{.label = method.title,
                      .color = stroke.color,
                      .width = stroke.width,
                      .dash = stroke.dash,
                      .is_compared = is_own};
        for (std::size_t pair = 0; pair < method.divisors.size(); ++pair)
            series.points.push_back(
                {axis == MethodsAxis::turns ? turns[pair] : static_cast<double>(pair), method.divisors[pair]});
        plot.series.push_back(std::move(series));
    }
    return plot;
}

ExtensionMethodsQuestion MethodsFigure::question(const Experiment& experiment) const {
    constexpr double usual_factor = 8, usual_context = 4096, max = 1024;
    const double own_context = number_meaning(experiment, Meaning::trained_context).value_or(0);
    const double context = trained > 0 ? trained : own_context > 0 ? own_context : usual_context;
    const bool is_exceeded = own_context > 0 && experiment.seq_len > own_context;
    const double own_factor = number_meaning(experiment, Meaning::extension_factor)
                                  .value_or(is_exceeded ? experiment.seq_len / own_context : usual_factor);
    return {.factor = factor >= 1 ? factor : std::clamp(own_factor, 1.0, max), .trained = static_cast<int>(context)};
}

}  // namespace ropewalk
