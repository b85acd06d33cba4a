// The turns of each pair over the sequence (Barbero et al. 2024, arXiv:2410.06205, section 3).
#pragma once

#include "app/figures/parts/curves/curve_figure.h"
#include "app/figures/parts/tables/frequency_formula.h"
#include "core/analysis/encodings/rotation.h"

namespace ropewalk {

struct RotationsFigure : CurveFigure<RotationsFigure> {
    static constexpr auto id = "rotations", title = "Turns over the sequence";
    static constexpr auto brief_title = "Turns";
    static constexpr auto summary =
        "Full turns of each pair over the sequence, N·wₜ/2π. Pairs below 1 never complete a turn.";
    Depicted depicted() const { return Depicted::encoding; }
    static constexpr auto table_shape = "[d/2, 2]";
    static constexpr bool has_row_per_x = true;
    int context = 0;

    bool operator==(const RotationsFigure&) const = default;

    static void fields(auto& s, auto&& f) {
        f(Field{.name = "context",
                .label = "Length",
                .unit = "tokens",
                .min = 0,
                .max = 1 << 24,
                .slider_max = longest_sequence,
                .min_means = "sequence",
                .help = "Number of positions; 0 is the sequence length."},
          s.context);
        zoom_fields(s, f);
    }

    Needs needs(const Experiment&, PlotPixels) const { return {}; }
    std::vector<Handle> handles(const FigureInput& input) const { return pair_handles(input); }

    std::string readout(const FigureInput& input) const {
        const auto all = turns_of(input.results);
        const std::size_t pair = pair_at_cursor(input, all.size());
        const auto unfinished = std::count_if(all.begin(), all.end(), [](double value) { return value < 1; });
        return fmt::format("pair {}   {} turns   {} of {} pairs complete less than one turn", pair, readable(all[pair]),
                           unfinished, all.size());
    }

    DataTable table(const Results& results) const {
        const auto all = turns_of(results);
        DataTable table = table_of_columns({{"pair", counted(all.size())}, {"turns", all}});
        table.formula = frequency_formula(
            results.request.experiment,
            fmt::format("N = {}  # positions\ndata = np.column_stack([np.arange(len(w)), N*w / (2*np.pi)])",
                        positions_of(results)));
        return table;
    }

    std::vector<CurvePlot> plots_of(const FigureInput& input) const {
        const Theme& theme = input.theme;
        const auto all = turns_of(input.results);
        Series complete{.label = "one turn or more", .color = theme.series[0], .as_dots = true, .is_compared = true},
            incomplete{.label = "less than one turn", .color = theme.series[1], .as_dots = true, .is_compared = true},
            unrotated{.label = "not rotated", .color = theme.series[3], .as_dots = true, .is_compared = true};
        double min = 1;  // of both heads: pairs that are not rotated are drawn below all others
        for (const Results* results : {&input.results, input.reference})
            for (const double value : results ? turns_of(*results) : std::vector<double>())
                if (value > 0) min = std::min(min, value);
        for (std::size_t pair = 0; pair < all.size(); ++pair) {
            Series& series = all[pair] >= 1 ? complete : all[pair] > 0 ? incomplete : unrotated;
            series.points.push_back({static_cast<double>(pair), all[pair] > 0 ? all[pair] : min / 2});
        }
        CurvePlot plot{.x = pair_axis(all.size()),
                       .y = {.title = "turns", .low = 1, .high = 0, .scale = AxisScale::logarithmic},
                       .marks = {{.way = Mark::Way::across, .at = 1, .label = "one turn", .color = theme.warning}}};
        // After a quarter turn, a match on the pair turns negative (Barbero et al. 2024, Theorem 6.1).
        if (!incomplete.points.empty() && input.results.problem->lowered.rotates())
            plot.marks.push_back(
                {.way = Mark::Way::across, .at = 0.25, .label = "quarter turn", .color = theme.text_dim});
        for (const Mark& mark : marks_to_drag(handles(input), input)) plot.marks.push_back(mark);
        for (const Series* series : {&complete, &incomplete, &unrotated})
            if (!series->points.empty()) plot.series.push_back(*series);
        return {plot};
    }

  private:
    std::vector<double> turns_of(const Results& results) const {
        return turns(results.problem->lowered, positions_of(results));
    }
    double positions_of(const Results& results) const {
        return context > 0 ? context : spanned_positions(*results.problem);
    }
};

}  // namespace ropewalk
