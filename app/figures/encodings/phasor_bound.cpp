#include "app/figures/encodings/phasor_bound.h"

#include <fmt/format.h>

#include <algorithm>

namespace ropewalk {

int PhasorBoundFigure::count(const Experiment& experiment) const {
    return distances > 0 ? std::min(distances, experiment.seq_len) : experiment.seq_len;
}

Needs PhasorBoundFigure::needs(const Experiment& experiment, PlotPixels) const {
    return {PartialSumsQuestion{.count = count(experiment)}, AbelQuestion{.count = count(experiment)}};
}

Frame PhasorBoundFigure::draw(const FigureInput& input, Canvas& canvas, const Rect& rect) const {
    return draw_beside_reference([this](const FigureInput& of) { return plots_of(of); }, input, canvas, rect);
}

std::optional<Cursor> PhasorBoundFigure::pick(const FigureInput& input, const Frame& frame, Point at) const {
    return pick_distance(input, frame, at);
}

std::string PhasorBoundFigure::readout(const FigureInput& input) const {
    const int last = count(input.experiment());
    std::string text = fmt::format("r = {}", readable(input.cursor.distance()));
    const auto at = static_cast<std::size_t>(std::max(input.cursor.distance(), 0));
    if (const auto sums = input.results.find(PartialSumsQuestion{.count = last}); sums && at < sums->size())
        text += "   (2/d)·Σ|Sⱼ| = " + readable((*sums)[at]);
    if (const auto bounds = input.results.find(AbelQuestion{.count = last});
        bounds && *bounds && at < (*bounds)->magnitude.size())
        text += fmt::format("   |Σ| = {} ≤ {} ≤ {}", readable((*bounds)->magnitude[at]),
                            readable((*bounds)->weighted[at]), readable((*bounds)->max[at]));
    return text;
}

DataTable PhasorBoundFigure::table(const Results& results) const {
    const int last = count(results.request.experiment);
    const auto sums = results.find(PartialSumsQuestion{.count = last});
    const AbelBounds bounds = results.find(AbelQuestion{.count = last})->value_or(AbelBounds{});
    return table_of_columns({{"distance", counted(sums->size())},
                             {"mean_partial_sum", *sums},
                             {"magnitude", bounds.magnitude},
                             {"weighted_bound", bounds.weighted},
                             {"greatest_bound", bounds.max}});
}

std::vector<CurvePlot> PhasorBoundFigure::plots_of(const FigureInput& input) const {
    const Theme& theme = input.theme;
    const int last = count(input.experiment());
    const auto sums = input.results.find(PartialSumsQuestion{.count = last});
    const auto bounds = input.results.find(AbelQuestion{.count = last});
    CurvePlot upper, lower;
    upper.x = lower.x = {.title = distance_title,
                         .brief = distance_brief,
                         .low = axis == AxisScale::logarithmic ? 1.0 : 0.0,
                         .high = std::max(last - 1.0, 2.0),
                         .scale = axis,
                         .whole = true};
    upper.y = {.title = "(2/d)·Σ|Sⱼ|", .low = 1, .high = 0};
    lower.y = {.title = "|Σ\u00a0hₜexp(irwₜ)|", .low = 1, .high = 0, .scale = AxisScale::logarithmic};
    lower.share = 1.35;
    upper.cursor_x = lower.cursor_x = shown_distance(input);
    if (sums) upper.series = {{.values = sums, .color = theme.series[0], .is_compared = true}};
    if (bounds && *bounds)
        lower.series = {{.label = "max|Δh|·Σ|Sⱼ|", .values = part_of(bounds, (*bounds)->max), .color = theme.series[3]},
                        {.label = "true value",
                         .values = part_of(bounds, (*bounds)->magnitude),
                         .color = theme.series[0],
                         .is_compared = true},
                        {.label = "Σ|Sⱼ||Δhⱼ|",  // may equal the true value everywhere, as with all ones
                         .values = part_of(bounds, (*bounds)->weighted),
                         .color = theme.series[1],
                         .dash = 5}};
    if (!sums) upper.message = still_computing;
    if (!bounds) lower.message = still_computing;
    if (bounds && !*bounds)
        lower.message = "Abel's bounds need an encoding that rotates; this one adds waves to q and k.";
    return {upper, lower};
}

}  // namespace ropewalk
