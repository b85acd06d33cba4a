#include "app/figures/encodings/random_rope_decay.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace ropewalk {

bool RandomRopeDecayFigure::draws_this_reference(const FigureInput& input) const {
    return draws_beside_reference(input, [this](const FigureInput& of) { return plots_of(of); });
}

Frame RandomRopeDecayFigure::draw(const FigureInput& input, Canvas& canvas, const Rect& rect) const {
    return draw_beside_reference([this](const FigureInput& of) { return plots_of(of); }, input, canvas, rect);
}

Badge RandomRopeDecayFigure::badge(const FigureInput& input) const {
    const auto found = input.results.find(question(input.experiment()));
    const int all = input.experiment().seq_len - 1;
    if (!found || found->empty() || static_cast<int>(found->size()) == all) return {};
    return {fmt::format("{} of {} gaps", readable(static_cast<double>(found->size())), readable(all)), "Gaps",
            "Each computed gap is exact; straight lines join them."};
}

std::optional<Cursor> RandomRopeDecayFigure::pick(const FigureInput& input, const Frame& frame, Point at) const {
    return pick_distance(input, frame, at);
}

std::string RandomRopeDecayFigure::readout(const FigureInput& input) const {
    const auto found = input.results.find(question(input.experiment()));
    if (!found || found->empty()) return place_text(input, input.cursor);
    const int gap = std::max(input.cursor.distance(), 1);
    const auto nearest = std::min_element(found->begin(), found->end(), [&](const auto& a, const auto& b) {
        return std::abs(a.gap - gap) < std::abs(b.gap - gap);
    });
    return fmt::format("{} tokens apart   {} positions expected   logit {} ± {}", nearest->gap,
                       readable(nearest->expected_distance), readable(nearest->mean), readable(nearest->sigma));
}

DataTable RandomRopeDecayFigure::table(const Results& results) const {
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

std::vector<CurvePlot> RandomRopeDecayFigure::plots_of(const FigureInput& input) const {
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

RandomPositionsQuestion RandomRopeDecayFigure::question(const Experiment& experiment) const {
    constexpr double usual = 16, most = longest_sequence;  // times the sequence; positions
    const double own = number_meaning(experiment, Meaning::position_range).value_or(usual * experiment.seq_len);
    const int wanted = upper > 0 ? upper : static_cast<int>(std::min(own, most));
    return {.tokens = experiment.seq_len, .upper = std::max(wanted, experiment.seq_len)};
}

}  // namespace ropewalk
