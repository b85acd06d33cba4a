// The turns of each pair over the sequence (Barbero et al. 2024, arXiv:2410.06205, section 3).
#pragma once

#include "app/figures/parts/curves.h"
#include "app/figures/parts/figure_defaults.h"
#include "app/figures/parts/handle.h"
#include "core/analysis/encodings/rotation.h"

namespace ropewalk {

struct RotationsFigure : FigureDefaults {
    static constexpr auto id = "rotations", title = "Turns over the sequence";
    static constexpr auto summary =
        "Full turns of each pair over the sequence, N·wₜ/2π. Pairs below 1 never complete a turn.";
    Depicted depicted() const { return Depicted::encoding; }
    static constexpr auto table_shape = "[d/2, 2]";
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
    }

    bool draws_reference() const { return true; }
    Needs needs(const Experiment&, PlotPixels) const { return {}; }
    Frame draw(const FigureInput& input, Canvas& canvas, const Rect& rect) const;
    std::optional<Cursor> pick(const FigureInput& input, const Frame& frame, Point at) const;
    std::string readout(const FigureInput& input) const;
    std::vector<Handle> handles(const FigureInput& input) const { return pair_handles(input); }
    DataTable table(const Results& results) const;

  private:
    std::vector<CurvePlot> plots_of(const FigureInput& input) const;
    std::vector<double> turns_of(const Results& results) const;
};

}  // namespace ropewalk
