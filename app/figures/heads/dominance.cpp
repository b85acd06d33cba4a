#include "app/figures/heads/dominance.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace ropewalk {

Badge DominanceFigure::badge(const FigureInput& input) const {
    const std::string text = keys == 1 ? "top key of each query"
                             : keys >= input.experiment().seq_len
                                 ? "all keys of each query"
                                 : fmt::format("top {} keys of each query", readable(keys));
    return {text, "Keys per query", "The means and ρ are computed from these keys."};
}

Frame DominanceFigure::draw(const FigureInput& input, Canvas& canvas, const Rect& rect) const {
    return draw_beside_reference([this](const FigureInput& of) { return plots_of(of); }, input, canvas, rect);
}

std::optional<Cursor> DominanceFigure::pick(const FigureInput& input, const Frame& frame, Point at) const {
    return pick_distance(input, frame, at);
}

std::string DominanceFigure::readout(const FigureInput& input) const {
    const auto found = input.results.find(DominanceQuestion{.keys_per_query = keys});
    if (!found) return place_text(input, input.cursor);
    std::string text = fmt::format("{}, without rotation {}   {} queries", correlation_text(found->correlation),
                                   correlation_text(found->unrotated_correlation), found->queries);
    for (const Dominance::Point& point : found->by_distance)
        if (point.distance == input.cursor.distance())
            text += fmt::format("   r = {}: {} from {} entries", readable(point.distance), readable(point.rotated),
                                point.count);
    return text;
}

DataTable DominanceFigure::table(const Results& results) const {
    const auto found = results.find(DominanceQuestion{.keys_per_query = keys});
    std::vector<double> columns[4];
    for (const Dominance::Point& point : found->by_distance) {
        columns[0].push_back(point.distance);
        columns[1].push_back(point.count);
        columns[2].push_back(point.rotated);
        columns[3].push_back(point.unrotated);
    }
    return table_of_columns({{"distance", columns[0]},
                             {"count", columns[1]},
                             {"rotated", columns[2]},
                             {"unrotated", columns[3]},
                             {"spearman_rotated", {found->correlation.value_or(nan)}},
                             {"spearman_unrotated", {found->unrotated_correlation.value_or(nan)}}});
}

std::vector<CurvePlot> DominanceFigure::plots_of(const FigureInput& input) const {
    const Theme& theme = input.theme;
    const auto found = input.results.find(DominanceQuestion{.keys_per_query = keys});
    Series rotated{.color = theme.series[0], .as_dots = true, .is_compared = true},
        unrotated{.color = theme.series[3], .as_dots = true};
    double max_distance = 2;
    if (found) {
        // Only as many points as the eye can distinguish, spaced evenly along a logarithmic axis.
        double next = 0;
        for (const Dominance::Point& point : found->by_distance) {
            max_distance = std::max<double>(max_distance, point.distance);
            if (point.distance < std::max(next, 1.0)) continue;  // the axis is logarithmic
            next = point.distance * 1.012;
            const double distance = point.distance;
            rotated.points.push_back({distance, point.rotated});
            unrotated.points.push_back({distance, point.unrotated});
        }
        rotated.label = "rotated, " + correlation_text(found->correlation);
        unrotated.label = "without rotation, " + correlation_text(found->unrotated_correlation);
    }
    const double margin = std::pow(max_distance, 0.012);  // keeps dots at the ends whole
    CurvePlot plot{.x = {.title = distance_title,
                         .brief = distance_brief,
                         .low = 1 / margin,
                         .high = max_distance * margin,
                         .scale = AxisScale::logarithmic,
                         .whole = true},
                   .y = {.title = "mean dominant pair",
                         .brief = "mean pair",
                         .low = -0.5,
                         .high = std::max(input.experiment().head_dim / 2, 2) - 0.5},
                   .series = {unrotated, rotated},
                   .cursor_x = shown_distance(input)};
    if (!found) plot.message = still_computing;
    return {plot};
}

std::string DominanceFigure::correlation_text(const std::optional<double>& value) {
    return value ? "ρ = " + readable(std::round(*value * 1e4) / 1e4) : std::string("ρ undefined");
}

}  // namespace ropewalk
