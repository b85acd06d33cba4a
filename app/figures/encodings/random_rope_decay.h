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
    }

    bool draws_reference() const { return true; }
    bool draws_this_reference(const FigureInput& input) const;
    Needs needs(const Experiment& experiment, PlotPixels) const { return {question(experiment)}; }
    Frame draw(const FigureInput& input, Canvas& canvas, const Rect& rect) const;
    Badge badge(const FigureInput& input) const;
    std::optional<Cursor> pick(const FigureInput& input, const Frame& frame, Point at) const;
    std::string readout(const FigureInput& input) const;
    DataTable table(const Results& results) const;

  private:
    std::vector<CurvePlot> plots_of(const FigureInput& input) const;

    static constexpr auto no_sums =
        "Exact sums need at least two tokens and an encoding that depends on distance alone.";

    RandomPositionsQuestion question(const Experiment& experiment) const;
};

}  // namespace ropewalk
