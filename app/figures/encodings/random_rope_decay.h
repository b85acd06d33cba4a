// Exact mean and deviation of the logit under random positions (Ruoss et al. 2023; Barbero et al. 2024,
// arXiv:2410.06205, Fig. 8).
#pragma once

#include "app/figures/parts/curves/curve_figure.h"

namespace ropewalk {

struct RandomRopeDecayFigure : CurveFigure<RandomRopeDecayFigure> {
    static constexpr auto id = "random_rope_decay", title = "Decay under random positions";
    static constexpr auto brief_title = "Random positions";
    static constexpr auto summary =
        "Mean ± σ of the logit over all ways to draw N of L positions, against the distance in tokens. Exact sums, no "
        "samples.";
    static constexpr auto table_shape = "[gaps, 4]";
    static constexpr bool has_row_per_x = true;
    int upper = 0;

    bool operator==(const RandomRopeDecayFigure&) const = default;

    static void fields(auto& s, auto&& f) {
        f(Field{.name = "upper",
                .label = "Positions 1 … L",
                .unit = "positions",
                .min = 0,
                .max = longest_sequence,
                .min_means = "encoding's",
                .help = "L, the number of positions from which N are drawn without replacement and sorted; at least N. "
                        "0: the encoding's own, or sixteen times the sequence length."},
          s.upper);
        zoom_fields(s, f);
    }

    RandomPositionsQuestion question(const Experiment& experiment) const {
        constexpr double usual = 16, most = longest_sequence;  // times the sequence; positions
        const double own = number_meaning(experiment, Meaning::position_range).value_or(usual * experiment.seq_len);
        const int wanted = upper > 0 ? upper : static_cast<int>(std::min(own, most));
        return {.tokens = experiment.seq_len, .upper = std::max(wanted, experiment.seq_len)};
    }
    Needs needs(const Experiment& experiment, PlotPixels) const { return {question(experiment)}; }

    Badge badge(const FigureInput& input) const {
        const auto found = input.results.find(question(input.experiment()));
        const int all = input.experiment().seq_len - 1;
        if (!found || found->empty() || static_cast<int>(found->size()) == all) return {};
        return {fmt::format("{} of {} gaps", readable(static_cast<double>(found->size())), readable(all)), "Gaps",
                "Each computed gap is exact; straight lines join them."};
    }

    std::string readout(const FigureInput& input) const {
        const auto found = input.results.find(question(input.experiment()));
        if (!found || found->empty()) return place_text(input, input.cursor);
        const int gap = std::max(input.cursor.distance(), 1);
        const auto nearest = std::min_element(found->begin(), found->end(), [&](const auto& a, const auto& b) {
            return std::abs(a.gap - gap) < std::abs(b.gap - gap);
        });
        return fmt::format("{} apart   {} positions expected   logit {} ± {}", readable(nearest->gap, "tokens"),
                           readable(nearest->expected_distance), readable(nearest->mean), readable(nearest->sigma));
    }

    DataTable table(const Results& results) const {
        const auto found = results.find(question(results.request.experiment));
        if (found->empty()) throw InputError(no_sums);
        return table_of_columns({{"gap", column_of(*found, &RandomDecayPoint::gap)},
                                 {"expected_distance", column_of(*found, &RandomDecayPoint::expected_distance)},
                                 {"mean", column_of(*found, &RandomDecayPoint::mean)},
                                 {"sigma", column_of(*found, &RandomDecayPoint::sigma)}});
    }

    std::vector<CurvePlot> plots_of(const FigureInput& input) const {
        const RandomPositionsQuestion asked = question(input.experiment());
        const auto found = input.results.find(asked);
        CurvePlot plot{.x = distance_axis(1, std::max(input.experiment().seq_len - 1.0, 2.0), AxisScale::logarithmic),
                       .y = {.title = "logit", .low = 1, .high = 0},
                       .series = {{.label = fmt::format("mean over draws of {} from 1 … {}", readable(asked.tokens),
                                                        readable(asked.upper)),
                                   .color = input.theme.series[0],
                                   .spread_label = "± σ",
                                   .is_compared = true}}};
        if (!found) {
            plot.message = still_computing;
        } else if (found->empty()) {
            plot.message = no_sums;
        } else {
            plot.series[0].points =
                points_of(column_of(*found, &RandomDecayPoint::gap), column_of(*found, &RandomDecayPoint::mean));
            plot.series[0].spread = column_of(*found, &RandomDecayPoint::sigma);
        }
        return {plot};
    }

  private:
    static constexpr auto no_sums =
        "Exact sums need at least two tokens and an encoding that depends on distance alone.";
};

}  // namespace ropewalk
