#include "app/figures/encodings/robustness.h"

#include <fmt/format.h>

#include <algorithm>

namespace ropewalk {
namespace {

constexpr int norm_digits = 5;

}  // namespace

Needs RobustnessFigure::needs(const Experiment&, PlotPixels) const {
    if (part == RobustnessPart::semantic) return {};
    return {question()};
}

std::optional<Cursor> RobustnessFigure::pick(const FigureInput& input, const Frame& frame, Point at) const {
    const bool is_off = part == RobustnessPart::positional && !frame.plot.contains(at);  // above, x is the norm
    return is_off ? std::nullopt : pick_on(input, frame, at);
}

std::string RobustnessFigure::readout(const FigureInput& input) const {
    if (part == RobustnessPart::semantic) {
        if (!is_relative(input.results)) return not_relative;
        const auto fails = fails_at(input.results, static_cast<std::size_t>(input.cursor.pair));
        return fmt::format("pair {}   {}", input.cursor.pair,
                           fails ? "a match on it turns negative at r = " + readable(static_cast<double>(*fails))
                                 : std::string("not rotated: a match on it never turns negative"));
    }
    const auto answer = input.results.find(question());
    if (!answer || !*answer) return place_text(input, input.cursor);
    const Robustness& found = **answer;
    std::string text = fmt::format("target r₀ = {}   ", readable(found.gaps.target));
    text += found.norm_needed ? "required ‖ψ‖² " + readable(*found.norm_needed, norm_digits)
                              : std::string("no ‖ψ‖² is enough");
    text += fmt::format("   current ‖ψ‖² {}", readable(found.norm, norm_digits));
    for (const SidePeak& peak : found.side_peaks)
        text +=
            fmt::format("{} r = {} ({})", peak.distance == found.side_peaks.front().distance ? "   side peaks:" : ",",
                        readable(peak.distance), readable(peak.gap));
    return text;
}

std::vector<Handle> RobustnessFigure::handles(const FigureInput& input) const {
    if (part == RobustnessPart::semantic) return pair_handles(input);
    if (target < 0) return distance_handles(input);
    return {own_handle(input, *this, "target", Mark::Way::up, target)};
}

DataTable RobustnessFigure::table(const Results& results) const {
    if (part == RobustnessPart::semantic) {
        if (!is_relative(results)) throw InputError(not_relative);
        std::vector<double> fails;
        for (std::size_t pair = 0; pair < results.problem->lowered.inv_freq.size(); ++pair) {
            const auto distance = fails_at(results, pair);
            fails.push_back(distance ? static_cast<double>(*distance) : infinity);
        }
        return table_of_columns({{"pair", counted(fails.size())}, {"fails_at", fails}});
    }
    const auto answer = results.find(question());
    if (!*answer) throw InputError(complaint(results.request.experiment));
    std::vector<std::pair<std::string, std::vector<double>>> columns{{"norm_squared", (*answer)->norms}};
    for (std::size_t i = 0; i < (*answer)->lengths.size(); ++i)
        columns.emplace_back(fmt::format("least_weight_{}", (*answer)->lengths[i]), (*answer)->weights[i]);
    columns.emplace_back("norm_needed", std::vector<double>{(*answer)->norm_needed.value_or(nan)});
    columns.emplace_back("near_return", column_of((*answer)->side_peaks, &SidePeak::distance));
    columns.emplace_back("gap_per_norm", column_of((*answer)->side_peaks, &SidePeak::gap));
    return table_of_columns(columns);
}

std::vector<CurvePlot> RobustnessFigure::plots_of(const FigureInput& input) const {
    if (part == RobustnessPart::semantic) return {semantic_plot(input)};
    const Theme& theme = input.theme;
    const auto answer = input.results.find(question());
    CurvePlot weights{.x = {.title = "norm $‖\\psi‖^2=‖q‖‖k‖$",
                            .brief = "norm ‖ψ‖²",
                            .low = 1,
                            .high = 1000,
                            .scale = AxisScale::logarithmic},
                      .y = {.title = "minimum weight on target", .brief = "min weight", .low = 0, .high = 1.04}};
    CurvePlot gaps{.x = distance_axis(0, std::max(input.experiment().seq_len - 1.0, 1.0)),
                   .y = {.title = "gap to target per $‖\\psi‖^2$", .low = 1, .high = 0}};
    if (!answer) {
        weights.message = gaps.message = still_computing;
    } else if (!*answer) {
        weights.message = complaint(input.experiment());
        return {weights};
    } else {
        const Robustness& found = **answer;
        weights.x.low = found.norms.front(), weights.x.high = found.norms.back();
        for (std::size_t i = 0; i < found.lengths.size(); ++i) {
            const Stroke stroke = theme.curve(found.lengths.size() - 1 - i);  // the experiment's own length is last
            weights.series.push_back({.label = fmt::format("N = {}", readable(found.lengths[i])),
                                      .points = points_of(found.norms, found.weights[i]),
                                      .color = stroke.color,
                                      .width = stroke.width,
                                      .is_compared = i + 1 == found.lengths.size()});
        }
        weights.marks = {{.way = Mark::Way::across, .at = 1 - epsilon, .label = "", .color = theme.text_faint}};
        if (found.norm_needed)
            weights.marks.push_back({.at = *found.norm_needed,
                                     .label = "required " + readable(*found.norm_needed, norm_digits),
                                     .color = theme.warning});
        if (found.norm >= weights.x.low && found.norm <= weights.x.high) {
            const Color color = weights.series.back().color;
            weights.series.push_back({.points = {{found.norm, found.weight}}, .color = color, .as_dots = true});
            weights.marks.push_back(
                {.at = found.norm, .label = "current " + readable(found.norm, norm_digits), .color = color});
        }
        gaps.series = {
            {.values = SharedNumbers(answer, found.gaps.per_norm), .color = theme.series[0], .is_compared = true}};
        Series peaks{.label = "side peaks at r =", .color = theme.warning, .as_dots = true};
        for (const SidePeak& peak : found.side_peaks) {
            peaks.points.push_back({static_cast<double>(peak.distance), peak.gap});
            peaks.label += fmt::format("{} {}", peaks.points.size() > 1 ? "," : "", peak.distance);
        }
        gaps.series.push_back(peaks);
        gaps.marks = marks_to_drag(handles(input), input);
    }
    return {weights, gaps};
}

std::string RobustnessFigure::complaint(const Experiment& experiment) const {
    if (experiment.mask != Mask::causal)
        return "This figure needs the causal mask: the minimum is then in the last row.";
    if (experiment.softcap != 0) return "This figure needs logits proportional to ‖ψ‖². Set the softcap to 0.";
    if (target >= experiment.seq_len)
        return fmt::format("No row has a token {} back: the sequence has {}.", readable(target, "tokens"),
                           readable(experiment.seq_len, "tokens"));
    return "Theorem 5.3 assumes constant queries and keys and an encoding that depends on distance alone. Try 'At "
           "a distance' with RoPE.";
}

std::optional<std::int64_t> RobustnessFigure::fails_at(const Results& results, std::size_t pair) {
    return first_failing_distance(results.problem->lowered.inv_freq[pair], results.problem->positions.stride);
}

CurvePlot RobustnessFigure::semantic_plot(const FigureInput& input) const {
    const Theme& theme = input.theme;
    const auto& frequencies = input.results.problem->lowered.inv_freq;
    Series fails{.label = "turns negative", .color = theme.series[0], .as_dots = true, .is_compared = true};
    Series never{.label = "never (not rotated)", .color = theme.series[3], .as_dots = true, .is_compared = true};
    for (std::size_t pair = 0; pair < frequencies.size(); ++pair)
        if (const auto distance = fails_at(input.results, pair))
            fails.points.push_back({static_cast<double>(pair), static_cast<double>(*distance)});
    double max = 0;  // of both heads
    for (const Results* results : {&input.results, input.reference}) {
        if (!results) continue;
        max = std::max<double>(max, results->request.experiment.seq_len);
        for (std::size_t pair = 0; pair < results->problem->lowered.inv_freq.size(); ++pair)
            if (const auto distance = fails_at(*results, pair)) max = std::max(max, static_cast<double>(*distance));
    }
    for (std::size_t pair = 0; pair < frequencies.size(); ++pair)
        if (frequencies[pair] == 0) never.points.push_back({static_cast<double>(pair), max * 2});
    CurvePlot plot{.x = pair_axis(frequencies.size()),
                   .y = {.title = input.experiment().positions.stride == 1 ? "distance ⌈π/2w⌉ (tokens)"
                                                                           : "first negative distance (tokens)",
                         .low = 1,
                         .high = 0,
                         .scale = AxisScale::logarithmic},
                   .marks = {{.way = Mark::Way::across,
                              .at = static_cast<double>(input.experiment().seq_len),
                              .label = fmt::format("length N = {}", readable(input.experiment().seq_len)),
                              .color = theme.series[1]}}};
    if (!is_relative(input.results)) {
        plot.message = not_relative;
        return plot;
    }
    if (!fails.points.empty()) plot.series.push_back(fails);
    if (!never.points.empty()) {
        plot.marks.push_back({.way = Mark::Way::across,
                              .at = never.points.front().y,
                              .label = "∞",
                              .color = input.theme.text_faint,
                              .dash = 2});
        plot.series.push_back(never);
    }
    for (const Mark& mark : marks_to_drag(handles(input), input)) plot.marks.push_back(mark);
    return plot;
}

}  // namespace ropewalk
