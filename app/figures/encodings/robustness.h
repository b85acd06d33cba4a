// How sharply a head can attend to one distance, and at which distance a semantic match fails (Barbero et al. 2024,
// arXiv:2410.06205, Def. 5.1, Thm 5.3 and Thm 6.1).
#pragma once

#include "app/figures/parts/curves/curve_figure.h"

namespace ropewalk {

enum class RobustnessPart { positional, semantic };
template <>
struct EnumText<RobustnessPart> {
    static constexpr std::array<EnumName, 2> names{{{"positional", "Positional"}, {"semantic", "Semantic"}}};
};

struct RobustnessFigure : CurveFigure<RobustnessFigure> {
    static constexpr auto id = "robustness", title = "Robustness";
    static constexpr auto summary =
        "Minimum weight on the target over all rows against ‖ψ‖², with the highest side peaks; or the distance at "
        "which a match on each pair first turns negative.";
    static constexpr auto table_shape =
        "[norms, 2 + lengths] (positional), the last in the first row only; [d/2, 2] (semantic)";
    RobustnessPart part = RobustnessPart::positional;
    int target = -1;
    double epsilon = 0.01;

    bool operator==(const RobustnessFigure&) const = default;

    static void fields(auto& s, auto&& f) {
        f(Field{.name = "part",
                .label = "Show",
                .help = "Positional: a head with constant q and k attends to one distance (Thm 5.3). Semantic: a match "
                        "on a single pair turns negative at r = ⌈π/2w⌉ (Thm 6.1)."},
          s.part);
        f(Field{.name = "target",
                .label = "Target distance r₀",
                .unit = "tokens",
                .min = -1,
                .max = longest_sequence,
                .slider_max = 64,
                .min_means = "largest logit",
                .help = "Distance that should get all the weight; −1: the one with the largest logit."},
          s.target);
        f(Field{.name = "epsilon",
                .label = "ε",
                .min = 1e-9,
                .max = 0.5,
                .logarithmic = true,
                .help = "The target must get a weight above 1 − ε in every row."},
          s.epsilon);
        zoom_fields(s, f);
    }

    Needs needs(const Experiment&, PlotPixels) const;

    std::optional<Cursor> pick(const FigureInput& input, const Frame& frame, Point at) const;

    std::string readout(const FigureInput& input) const;

    std::vector<Handle> handles(const FigureInput& input) const;

    DataTable table(const Results& results) const;

    std::vector<CurvePlot> plots_of(const FigureInput& input) const;

  private:
    static constexpr auto not_relative =
        "Theorem 6.1 assumes an encoding that depends on distance alone. With this one, a match depends on its "
        "positions.";

    /// Returns why there is no answer.
    std::string complaint(const Experiment& experiment) const;

    static bool is_relative(const Results& results) { return results.problem->lowered.relative(); }

    /// Returns the distance, in tokens, at which a match on the pair first turns negative.
    static std::optional<std::int64_t> fails_at(const Results& results, std::size_t pair);

    RobustnessQuestion question() const { return {.target = target, .epsilon = epsilon}; }

    CurvePlot semantic_plot(const FigureInput& input) const;
};

}  // namespace ropewalk
