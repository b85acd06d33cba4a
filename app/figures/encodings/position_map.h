// The effective distance under the encoding's position map (Self-Extend, arXiv:2401.01325, Fig. 3).
#pragma once

#include "app/figures/parts/curves/curve_figure.h"
#include "core/analysis/encodings/position_map.h"

namespace ropewalk {

struct PositionMapFigure : CurveFigure<PositionMapFigure> {
    static constexpr auto id = "position_map", title = "Position map";
    static constexpr auto summary =
        "Effective distance against true distance, from the last query. The reach is the largest distance that is "
        "still mapped below the training length.";
    Depicted depicted() const { return Depicted::encoding; }
    static constexpr auto table_shape = "[distances, 2]";
    static constexpr bool has_row_per_x = true;
    int trained = 0;

    bool operator==(const PositionMapFigure&) const = default;

    static void fields(auto& s, auto&& f) {
        f(Field{.name = "trained",
                .label = "Mark L at",
                .unit = "tokens",
                .min = 0,
                .max = 1 << 24,
                .slider_max = 1 << 17,
                .min_means = "encoding's",
                .help = "Distances of L or more did not occur in training. 0: the encoding's own training length, or "
                        "half the sequence."},
          s.trained);
        zoom_fields(s, f);
    }

    Needs needs(const Experiment&, PlotPixels) const { return {EffectiveDistanceQuestion{}}; }

    std::string readout(const FigureInput& input) const {
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

    std::vector<Handle> handles(const FigureInput& input) const {
        return joined(trained_handles(input), window_handles(input));
    }

    DataTable table(const Results& results) const {
        const auto distances = results.find(EffectiveDistanceQuestion{});
        return table_of_columns({{"distance", counted(distances->size())}, {"effective", *distances}});
    }

    std::vector<CurvePlot> plots_of(const FigureInput& input) const {
        const Theme& theme = input.theme;
        const auto distances = input.results.find(EffectiveDistanceQuestion{});
        const double stride = input.experiment().positions.stride;
        CurvePlot plot{
            .x = distance_axis(0, 1),
            .y = {.title = stride == 1 ? "effective distance" : "effective distance (positions)", .low = 1, .high = 0}};
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

  private:
    int trained_of(const Experiment& experiment) const {
        if (trained > 0) return trained;
        const int own = static_cast<int>(number_meaning(experiment, Meaning::trained_context).value_or(0));
        return own > 0 ? own : std::max(experiment.seq_len / 2, 1);
    }

    /// Returns the handle of the encoding's training length if this figure sets none, or else of this figure's own.
    std::vector<Handle> trained_handles(const FigureInput& input) const {
        std::vector<Handle> all;
        if (trained == 0) all = trained_context_handles(input);
        const char* const name = trained == 0 && all.empty() ? "half of N = " : "L = ";
        if (all.empty()) all = {own_handle(input, *this, "trained", Mark::Way::across, trained_of(input.experiment()))};
        for (Handle& handle : all)
            handle.mark.label = name + readable(handle.mark.at), handle.mark.color = input.theme.series[1],
            handle.value_at = [](double length) { return std::max(length, 1.0); };  // 0 means none
        return all;
    }

    /// Returns the largest distance up to which all effective distances stay below the training length, or nullopt if
    /// all do.
    std::optional<int> reach_of(const std::vector<double>& distances, const Experiment& experiment) const {
        const int limit = trained_of(experiment);
        const auto beyond = std::find_if(distances.begin(), distances.end(), [&](double r) { return r >= limit; });
        if (beyond == distances.end()) return std::nullopt;
        return static_cast<int>(beyond - distances.begin()) - 1;
    }
};

}  // namespace ropewalk
