// How close a head's logits come to the bound set by its norms, per token (Barbero et al. 2024, arXiv:2410.06205,
// Tables 3–5).
#pragma once

#include "app/figures/parts/curves.h"
#include "app/figures/parts/figure_defaults.h"
#include "core/numbers/numbers.h"

namespace ropewalk {

struct AlignmentFigure : FigureDefaults {
    static constexpr auto id = "alignment", title = "Alignment";
    static constexpr auto summary =
        "Each token's logit on itself and on the previous token, with the Cauchy–Schwarz bound ‖q‖‖k‖/√d that "
        "positional heads reach.";
    static constexpr auto table_shape = "[tokens, 5]";
    int tokens = 512;

    bool operator==(const AlignmentFigure&) const = default;

    static void fields(auto& s, auto&& f) {
        f(Field{.name = "tokens",
                .label = "Tokens",
                .min = 1,
                .max = 65536,
                .slider_max = 4096,
                .logarithmic = true,
                .help = "Number of tokens, starting with the first."},
          s.tokens);
    }

    Needs needs(const Experiment& experiment, PlotPixels) const { return {question(experiment)}; }
    Frame draw(const FigureInput& input, Canvas& canvas, const Rect& rect) const;
    std::optional<Cursor> pick(const FigureInput& input, const Frame& frame, Point at) const;
    std::string readout(const FigureInput& input) const;
    DataTable table(const Results& results) const;

  private:
    CurvePlot plot_of(const FigureInput& input) const;
    AlignmentQuestion question(const Experiment& experiment) const {
        return {.count = std::min(tokens, experiment.seq_len)};
    }
};

}  // namespace ropewalk
