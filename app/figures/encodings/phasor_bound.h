// The bound behind RoPE's "long-term decay", with the value that it bounds (Su et al. 2021, arXiv:2104.09864, eq.
// 35–37).
#pragma once

#include "app/figures/parts/curves.h"
#include "app/figures/parts/figure_defaults.h"

namespace ropewalk {

struct PhasorBoundFigure : FigureDefaults {
    static constexpr auto id = "phasor_bound", title = "Decay bound";
    static constexpr auto summary =
        "RoFormer's decay factor (2/d)·Σ|Sⱼ|, and Abel's two bounds with the |Σ| they bound. The bounds fall overall; "
        "a score need not.";
    static constexpr auto table_shape = "[distances, 5]";
    AxisScale axis = AxisScale::logarithmic;
    int distances = 0;

    bool operator==(const PhasorBoundFigure&) const = default;

    static void fields(auto& s, auto&& f) {
        f(Field{.name = "axis", .label = "Distance axis", .help = "A logarithmic axis starts at distance 1."}, s.axis);
        f(Field{.name = "distances",
                .label = "Distances",
                .unit = "tokens",
                .min = 0,
                .max = longest_sequence,
                .logarithmic = false,
                .min_means = "sequence",
                .help = "Length of the axis, at most the sequence; 0: all of it."},
          s.distances);
    }

    int count(const Experiment& experiment) const;
    bool draws_reference() const { return true; }
    Needs needs(const Experiment& experiment, PlotPixels) const;
    Frame draw(const FigureInput& input, Canvas& canvas, const Rect& rect) const;
    std::optional<Cursor> pick(const FigureInput& input, const Frame& frame, Point at) const;
    std::string readout(const FigureInput& input) const;
    DataTable table(const Results& results) const;

  private:
    std::vector<CurvePlot> plots_of(const FigureInput& input) const;
};

}  // namespace ropewalk
