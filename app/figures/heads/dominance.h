// Which pairs dominate the largest logits at each distance (Hong et al. 2024, section 4.2, Fig. 3–5).
#pragma once

#include "app/figures/parts/curves.h"
#include "app/figures/parts/figure_defaults.h"
#include "core/numbers/numbers.h"

namespace ropewalk {

struct DominanceFigure : FigureDefaults {
    static constexpr auto id = "dominance", title = "Dominant pair";
    static constexpr auto summary =
        "Which pair dominates the score at each distance, for each query's strongest keys, with Spearman's ρ; and the "
        "same without rotation.";
    static constexpr auto table_shape = "[distances, 6], the last two in the first row only";
    int keys = 100;

    bool operator==(const DominanceFigure&) const = default;

    static void fields(auto& s, auto&& f) {
        f(Field{.name = "keys",
                .label = "Keys per query",
                .min = 1,
                .max = 1000,
                .logarithmic = true,
                .help = "Number of keys with the largest logits used from each query; 100 in the paper."},
          s.keys);
    }

    bool draws_reference() const { return true; }
    Needs needs(const Experiment&, PlotPixels) const { return {DominanceQuestion{.keys_per_query = keys}}; }
    Badge badge(const FigureInput& input) const;
    Frame draw(const FigureInput& input, Canvas& canvas, const Rect& rect) const;
    std::optional<Cursor> pick(const FigureInput& input, const Frame& frame, Point at) const;
    std::string readout(const FigureInput& input) const;
    DataTable table(const Results& results) const;

  private:
    std::vector<CurvePlot> plots_of(const FigureInput& input) const;
    static std::string correlation_text(const std::optional<double>& value);
};

}  // namespace ropewalk
