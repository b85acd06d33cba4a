#include "app/figures/encodings/position_map.h"

#include <fmt/format.h>

#include <algorithm>

namespace ropewalk {

Frame PositionMapFigure::draw(const FigureInput& input, Canvas& canvas, const Rect& rect) const {
    return draw_beside_reference([this](const FigureInput& of) { return plots_of(of); }, input, canvas, rect);
}

std::optional<Cursor> PositionMapFigure::pick(const FigureInput& input, const Frame& frame, Point at) const {
    return pick_distance(input, frame, at);
}

std::string PositionMapFigure::readout(const FigureInput& input) const {
    const auto distances = input.results.find(EffectiveDistanceQuestion{});
    const int r = input.cursor.distance();
    std::string text = fmt::format("r = {}", readable(r));
    if (!distances) return text;
    if (r >= 0 && r < static_cast<int>(distances->size()))
        text += "   effective " + readable((*distances)[static_cast<std::size_t>(r)]);
    const auto reach = reach_of(*distances, input.experiment());
    return text + (reach ? fmt::format("   below L up to r = {}", readable(static_cast<double>(*reach)))
                         : std::string("   below L everywhere"));
}

std::vector<Handle> PositionMapFigure::handles(const FigureInput& input) const {
    std::vector<Handle> all = trained_handles(input);
    for (Handle& window : window_handles(input)) all.push_back(std::move(window));
    return all;
}

DataTable PositionMapFigure::table(const Results& results) const {
    const auto distances = results.find(EffectiveDistanceQuestion{});
    return table_of_columns({{"distance", counted(distances->size())}, {"effective", *distances}});
}

std::vector<CurvePlot> PositionMapFigure::plots_of(const FigureInput& input) const {
    const Theme& theme = input.theme;
    const auto distances = input.results.find(EffectiveDistanceQuestion{});
    const double stride = input.experiment().positions.stride;
    CurvePlot plot{
        .x = {.title = distance_title, .brief = distance_brief, .low = 0, .high = 1, .whole = true},
        .y = {.title = stride == 1 ? "effective distance" : "effective distance (positions)", .low = 1, .high = 0},
        .cursor_x = shown_distance(input)};
    if (distances) {
        plot.x.high = std::max(static_cast<double>(distances->size()) - 1, 1.0);
        plot.series = {
            {.label = "true distance",
             .points = {{0, 0}, {plot.x.high, plot.x.high * stride}},
             .color = theme.text_faint,
             .dash = 5},
            {.label = "effective distance", .values = distances, .color = theme.series[0], .is_compared = true}};
        plot.marks = marks_of(trained_handles(input));
        for (const Mark& mark : marks_to_drag(window_handles(input), input)) plot.marks.push_back(mark);
        if (const auto reach = reach_of(*distances, input.experiment()))
            plot.marks.push_back({.at = static_cast<double>(*reach),
                                  .label = fmt::format("reach {} (last query)", readable(*reach)),
                                  .color = theme.warning});
    } else {
        plot.message = still_computing;
    }
    return {plot};
}

int PositionMapFigure::trained_of(const Experiment& experiment) const {
    if (trained > 0) return trained;
    const int own = static_cast<int>(number_meaning(experiment, Meaning::trained_context).value_or(0));
    return own > 0 ? own : std::max(experiment.seq_len / 2, 1);
}

std::vector<Handle> PositionMapFigure::trained_handles(const FigureInput& input) const {
    std::vector<Handle> all;
    if (trained == 0) all = trained_context_handles(input);
    const char* const name = trained == 0 && all.empty() ? "half of N = " : "L = ";
    if (all.empty()) all = {own_handle(input, *this, "trained", Mark::Way::across, trained_of(input.experiment()))};
    for (Handle& handle : all)
        handle.mark.label = name + readable(handle.mark.at), handle.mark.color = input.theme.series[1],
        handle.value_at = [](double length) { return std::max(length, 1.0); };  // 0 means none
    return all;
}

std::optional<int> PositionMapFigure::reach_of(const std::vector<double>& distances,
                                               const Experiment& experiment) const {
    const int limit = trained_of(experiment);
    const auto beyond = std::find_if(distances.begin(), distances.end(), [&](double r) { return r >= limit; });
    if (beyond == distances.end()) return std::nullopt;
    return static_cast<int>(beyond - distances.begin()) - 1;
}

}  // namespace ropewalk
