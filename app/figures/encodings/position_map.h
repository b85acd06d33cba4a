// The effective distance under the encoding's position map (Self-Extend, arXiv:2401.01325, Fig. 3).
#pragma once

#include "app/figures/parts/curves.h"
#include "app/figures/parts/figure_defaults.h"
#include "app/figures/parts/handle.h"
#include "core/analysis/encodings/position_map.h"

namespace ropewalk {

struct PositionMapFigure : FigureDefaults {
    static constexpr auto id = "position_map", title = "Position map";
    static constexpr auto summary =
        "Effective distance against true distance, from the last query. The reach is the largest distance that is "
        "still mapped below the training length.";
    Depicted depicted() const { return Depicted::encoding; }
    static constexpr auto table_shape = "[distances, 2]";
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
    }

    bool draws_reference() const { return true; }
    Needs needs(const Experiment&, PlotPixels) const { return {EffectiveDistanceQuestion{}}; }
    Frame draw(const FigureInput& input, Canvas& canvas, const Rect& rect) const;
    std::optional<Cursor> pick(const FigureInput& input, const Frame& frame, Point at) const;
    std::string readout(const FigureInput& input) const;
    std::vector<Handle> handles(const FigureInput& input) const;
    DataTable table(const Results& results) const;

  private:
    std::vector<CurvePlot> plots_of(const FigureInput& input) const;
    int trained_of(const Experiment& experiment) const;

    /// Returns the handle of the encoding's training length if this figure sets none, or else of this figure's own.
    std::vector<Handle> trained_handles(const FigureInput& input) const;

    /// Returns the largest distance up to which all effective distances stay below the training length, or nullopt if
    /// all do.
    std::optional<int> reach_of(const std::vector<double>& distances, const Experiment& experiment) const;
};

}  // namespace ropewalk
