// Exact mean and deviation of the logit under random positions (Ruoss et al. 2023; Barbero et al. 2024,
// arXiv:2410.06205, Fig. 8).
#pragma once

#include "app/figures/parts/curves.h"
#include "app/figures/parts/figure_defaults.h"

namespace ropewalk {

struct RandomRopeDecayFigure : FigureDefaults {
    static constexpr auto id = "random_rope_decay", title = "Decay under random positions";
    static constexpr auto summary =
        "Mean ± σ of the logit over all ways to draw N of L positions, against the distance in tokens. Exact sums, no "
        "samples.";
    static constexpr auto table_shape = "[gaps, 4]";
    int upper = 0;

    bool operator==(const RandomRopeDecayFigure&) const = default;

    template <class S, class F>
    static void fields(S& s, F&& f) {
        f(Field{.name = "upper",
                .label = "Positions 1 … L",
                .unit = "positions",
                .min = 0,
                .max = longest_sequence,
                .min_means = "encoding's",
                .help = "L, the number of positions from which N are drawn without replacement and sorted; at least N. "
                        "0: the encoding's own, or sixteen times the sequence length."},
          s.upper);
    }

    bool draws_reference() const { return true; }
    bool draws_this_reference(const FigureInput& input) const {
        return draws_beside_reference(input, [this](const FigureInput& of) { return plots_of(of); });
    }

    Needs needs(const Experiment& experiment, PlotPixels) const { return {question(experiment)}; }

    Frame draw(const FigureInput& input, Canvas& canvas, const Rect& rect) const {
        return draw_beside_reference([this](const FigureInput& of) { return plots_of(of); }, input, canvas, rect);
    }

    Badge badge(const FigureInput& input) const {
        const auto found = input.results.find(question(input.experiment()));
        const int all = input.experiment().seq_len - 1;
        if (!found || found->empty() || static_cast<int>(found->size()) == all) return {};
        return {fmt::format("{} of {} gaps", readable(static_cast<double>(found->size())), readable(all)), "Gaps",
                "Each computed gap is exact; straight lines join them."};
    }

    std::optional<Cursor> pick(const FigureInput& input, const Frame& frame, Point at) const {
        return pick_distance(input, frame, at);
    }

    std::string readout(const FigureInput& input) const {
        const auto found = input.results.find(question(input.experiment()));
        if (!found || found->empty()) return place_text(input, input.cursor);
        const int gap = std::max(input.cursor.distance(), 1);
        const auto nearest = std::min_element(found->begin(), found->end(), [&](const auto& a, const auto& b) {
            return std::abs(a.gap - gap) < std::abs(b.gap - gap);
        });
        return fmt::format("{} tokens apart   {} positions expected   logit {} ± {}", nearest->gap,
                           readable(nearest->expected_distance), readable(nearest->mean), readable(nearest->sigma));
    }

    DataTable table(const Results& results) const {
        const auto found = results.find(question(results.request.experiment));
        if (found->empty()) throw InputError(no_sums);
        std::vector<double> columns[4];
        for (const RandomDecayPoint& point : *found) {
            columns[0].push_back(point.gap);
            columns[1].push_back(point.expected_distance);
            columns[2].push_back(point.mean);
            columns[3].push_back(point.sigma);
        }
        return table_of_columns(
            {{"gap", columns[0]}, {"expected_distance", columns[1]}, {"mean", columns[2]}, {"sigma", columns[3]}});
    }

  private:
    std::vector<CurvePlot> plots_of(const FigureInput& input) const {
        const Theme& theme = input.theme;
        const RandomPositionsQuestion asked = question(input.experiment());
        const auto found = input.results.find(asked);
        Series mean{
            .label = fmt::format("mean over draws of {} from 1 … {}", readable(asked.tokens), readable(asked.upper)),
            .color = theme.series[0],
            .spread_label = "± σ",
            .is_compared = true};
        if (found)
            for (const RandomDecayPoint& point : *found) {
                mean.points.push_back({static_cast<double>(point.gap), point.mean});
                mean.spread.push_back(point.sigma);
            }
        CurvePlot plot{.x = {.title = distance_title,
                             .low = 1,
                             .high = std::max(input.experiment().seq_len - 1.0, 2.0),
                             .scale = AxisScale::logarithmic,
                             .whole = true},
                       .y = {.title = "logit", .low = 1, .high = 0},
                       .series = {mean},
                       .cursor_x = shown_distance(input)};
        if (!found)
            plot.message = still_computing;
        else if (found->empty())
            plot.message = no_sums;
        return {plot};
    }

    static constexpr auto no_sums =
        "Exact sums need at least two tokens and an encoding that depends on distance alone.";

    RandomPositionsQuestion question(const Experiment& experiment) const {
        constexpr double usual = 16, most = longest_sequence;  // times the sequence; positions
        const double own = number_meaning(experiment, Meaning::position_range).value_or(usual * experiment.seq_len);
        const int wanted = upper > 0 ? upper : static_cast<int>(std::min(own, most));
        return {.tokens = experiment.seq_len, .upper = std::max(wanted, experiment.seq_len)};
    }
};

}  // namespace ropewalk
