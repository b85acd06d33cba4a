// Which pairs dominate the largest logits at each distance (Hong et al. 2024, section 4.2, Fig. 3–5).
#pragma once

#include "app/figures/parts/curves/curve_figure.h"

namespace ropewalk {

struct DominanceFigure : CurveFigure<DominanceFigure> {
    static constexpr auto id = "dominance", title = "Dominant pair";
    static constexpr auto summary =
        "Which pair dominates the score at each distance, for each query's strongest keys, with Spearman's ρ; and the "
        "same without rotation.";
    static constexpr auto table_shape = "[distances, 6], the last two in the first row only";
    int keys = 100;

    bool operator==(const DominanceFigure&) const = default;

    static void fields(auto& s, auto&& f) {
        f(Field{.name = "keys",
                .label = "Keys per query",
                .min = 1,
                .max = 1000,
                .logarithmic = true,
                .help = "Number of keys with the largest logits used from each query; 100 in the paper."},
          s.keys);
        zoom_fields(s, f);
    }

    DominanceQuestion question() const { return {.keys_per_query = keys}; }
    Needs needs(const Experiment&, PlotPixels) const { return {question()}; }

    Badge badge(const FigureInput& input) const {
        const std::string text = keys == 1 ? "top key of each query"
                                 : keys >= input.experiment().seq_len
                                     ? "all keys of each query"
                                     : fmt::format("top {} keys of each query", readable(keys));
        return {text, "Keys per query", "The means and ρ are computed from these keys."};
    }

    std::string readout(const FigureInput& input) const {
        const auto found = input.results.find(question());
        if (!found) return place_text(input, input.cursor);
        std::string text = fmt::format("{}, without rotation {}   {} queries", correlation_text(found->correlation),
                                       correlation_text(found->unrotated_correlation), found->queries);
        for (const Dominance::Point& point : found->by_distance)
            if (point.distance == input.cursor.distance())
                text += fmt::format("   r = {}: {} from {} entries", readable(point.distance), readable(point.rotated),
                                    point.count);
        return text;
    }

    DataTable table(const Results& results) const {
        const auto found = results.find(question());
        const auto& points = found->by_distance;
        return table_of_columns({{"distance", column_of(points, &Dominance::Point::distance)},
                                 {"count", column_of(points, &Dominance::Point::count)},
                                 {"rotated", column_of(points, &Dominance::Point::rotated)},
                                 {"unrotated", column_of(points, &Dominance::Point::unrotated)},
                                 {"spearman_rotated", {found->correlation.value_or(nan)}},
                                 {"spearman_unrotated", {found->unrotated_correlation.value_or(nan)}}});
    }

    std::vector<CurvePlot> plots_of(const FigureInput& input) const {
        const auto found = input.results.find(question());
        Series rotated{.color = input.theme.series[0], .as_dots = true, .is_compared = true},
            unrotated{.color = input.theme.series[3], .as_dots = true};
        double max_distance = 2;
        if (found) {
            // Only as many points as the eye can distinguish, spaced evenly along a logarithmic axis.
            double next = 0;
            for (const Dominance::Point& point : found->by_distance) {
                const double distance = point.distance;
                max_distance = std::max(max_distance, distance);
                if (distance < std::max(next, 1.0)) continue;  // the axis is logarithmic
                next = distance * 1.012;
                rotated.points.push_back({distance, point.rotated});
                unrotated.points.push_back({distance, point.unrotated});
            }
            rotated.label = "rotated, " + correlation_text(found->correlation);
            unrotated.label = "without rotation, " + correlation_text(found->unrotated_correlation);
        }
        const double margin = std::pow(max_distance, 0.012);  // keeps dots at the ends whole
        CurvePlot plot{.x = distance_axis(1 / margin, max_distance * margin, AxisScale::logarithmic),
                       .y = {.title = "mean dominant pair",
                             .brief = "mean pair",
                             .low = -0.5,
                             .high = std::max(input.experiment().head_dim / 2, 2) - 0.5},
                       .series = {unrotated, rotated}};
        if (!found) plot.message = still_computing;
        return {plot};
    }

  private:
    static std::string correlation_text(const std::optional<double>& value) {
        return value ? "ρ = " + readable(std::round(*value * 1e4) / 1e4) : std::string("ρ undefined");
    }
};

}  // namespace ropewalk
