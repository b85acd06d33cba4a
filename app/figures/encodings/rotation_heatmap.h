// cos(r·w) of every pair over distance (Hong et al. 2024, Fig. 2), or the angle itself.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>

#include "app/figures/parts/figure_defaults.h"
#include "app/figures/parts/handle.h"

namespace ropewalk {

struct RotationHeatmapFigure : FigureDefaults {
    static constexpr auto id = "rotation_heatmap", title = "Rotation";
    static constexpr auto summary = "cos(r·wₜ): how far each pair is rotated at each distance. Fast pairs are on top.";
    static constexpr bool has_color_bar = true;
    Depicted depicted() const { return Depicted::encoding; }
    RotationPart part = RotationPart::cosine;
    int distances = 0;
    std::vector<double> marked{0};

    bool operator==(const RotationHeatmapFigure&) const = default;

    static void fields(auto& s, auto&& f) {
        f(Field{.name = "part",
                .label = "Quantity",
                .help = "The cosine, which weights the pair's part of the score, or the angle, in cyclic colours. If "
                        "the distances of a pixel span half a turn or more, the angle is blank and the cosine has the "
                        "colour of 0."},
          s.part);
        f(Field{.name = "distances",
                .label = "Distances",
                .unit = "tokens",
                .min = 0,
                .max = 1 << 24,
                .slider_min = 16,
                .slider_max = longest_sequence,
                .logarithmic = true,
                .min_means = "sequence",
                .help = "Length of the axis; 0 is the sequence length."},
          s.distances);
        f(Field{.name = "marked",
                .label = "Marked",
                .min = 0,
                .max = 1 << 24,
                .help = "Distances to mark with a line."},
          s.marked);
    }

    int reach(const Experiment& experiment) const { return distances > 0 ? distances : experiment.seq_len; }
    Needs needs(const Experiment& experiment, PlotPixels pixels) const;

    /// Returns "1 cell = 131 distances, mean", or nothing if every distance has its own cell.
    Badge badge(const FigureInput& input) const;
    Frame draw(const FigureInput& input, Canvas& canvas, const Rect& rect) const;
    std::optional<Cursor> pick(const FigureInput& input, const Frame& frame, Point at) const;
    std::string readout(const FigureInput& input) const;
    std::vector<Handle> handles(const FigureInput& input) const;
    DataTable table(const Results& results) const;

  private:
    static constexpr double min_height_of_name = 90;  // logical pixels of the plot

    static double pooled(const Answered<RotationQuestion>& map);

    /// Draws the colour of 0 over pairs that are sampled too rarely to show how fast they rotate.
    static void cover_aliases(const Answered<RotationQuestion>& map, const FigureInput& input, const Frame& frame,
                              Canvas& canvas);

    /// Draws a line at a distance, with a label beside its upper end.
    static void draw_marked(double distance, const Frame& frame, Canvas& canvas, const Theme& theme);
    std::optional<Answered<RotationQuestion>> map_of(const FigureInput& input) const { return map_in(input.results); }
    std::optional<Answered<RotationQuestion>> map_in(const Results& results) const;
};

}  // namespace ropewalk
