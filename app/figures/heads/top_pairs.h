// How often each pair is among those that contribute most to a score (Hong et al. 2024, section 4.1 and Fig. 1).
#pragma once

#include "app/figures/parts/curves.h"
#include "app/figures/parts/figure_defaults.h"

namespace ropewalk {

struct TopPairsFigure : FigureDefaults {
    static constexpr auto id = "top_pairs", title = "Top pairs";
    static constexpr auto summary =
        "Each pair's share of the top five contributions, over entries from the whole matrix.";
    static constexpr auto table_shape = "[d/2, 2]";
    int cells = 2000, top = 5;

    bool operator==(const TopPairsFigure&) const = default;

    static void fields(auto& s, auto&& f) {
        f(Field{.name = "cells",
                .label = "Entries",
                .min = 1,
                .max = 1'000'000,
                .slider_max = 100'000,
                .logarithmic = true,
                .help =
                    "Number of entries (query, key) to sample, evenly spread over the matrix; all if there are fewer."},
          s.cells);
        f(Field{.name = "top",
                .label = "Top",
                .min = 1,
                .max = widest_head / 2,
                .slider_max = 20,
                .help = "Number of pairs counted per entry; 5 in the paper."},
          s.top);
    }

    Needs needs(const Experiment&, PlotPixels) const { return {TopPairsQuestion{.cells = cells, .top = top}}; }
    Badge badge(const FigureInput& input) const;
    Frame draw(const FigureInput& input, Canvas& canvas, const Rect& rect) const;
    std::optional<Cursor> pick(const FigureInput& input, const Frame& frame, Point at) const;
    std::string readout(const FigureInput& input) const;
    DataTable table(const Results& results) const;
};

}  // namespace ropewalk
