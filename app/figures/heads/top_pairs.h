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

    template <class S, class F>
    static void fields(S& s, F&& f) {
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

    Needs needs(const Experiment&, PlotPixels) const { return {TopPairsQuestion{cells, top}}; }

    Badge badge(const FigureInput& input) const {
        const auto all = unmasked_cells(*input.results.problem);
        if (all <= cells) return {fmt::format("all {} entries", readable(static_cast<double>(all))), "Entries", ""};
        return {fmt::format("sampled entries ({})", readable(cells)), "Entries", "Evenly spread over the matrix."};
    }

    Frame draw(const FigureInput& input, Canvas& canvas, const Rect& rect) const {
        const auto shares = input.results.find(TopPairsQuestion{cells, top});
        const int pairs = input.experiment().head_dim / 2;
        CurvePlot plot{.x = pair_axis(input),
                       .y = {.title = fmt::format("share of top {}", top), .low = 1, .high = 0},
                       .cursor_x = static_cast<double>(input.cursor.pair)};
        if (shares)
            plot.series = {{.label = "this head", .values = shares, .color = input.theme.series[0], .as_bars = true},
                           {.label = "equal shares",
                            .points = {{plot.x.low, 1.0 / pairs}, {plot.x.high, 1.0 / pairs}},
                            .color = input.theme.text_dim,
                            .dash = 5}};
        else
            plot.message = still_computing;
        return draw_curves({plot}, input, canvas, rect);
    }

    std::optional<Cursor> pick(const FigureInput& input, const Frame& frame, Point at) const {
        return pick_pair(input, frame, at);
    }

    std::string readout(const FigureInput& input) const {
        const auto shares = input.results.find(TopPairsQuestion{cells, top});
        const auto pair = static_cast<std::size_t>(input.cursor.pair);
        if (!shares || pair >= shares->size()) return place_text(input, input.cursor);
        return fmt::format("pair {}   share {}", pair, readable((*shares)[pair]));
    }

    DataTable table(const Results& results) const {
        const auto shares = results.find(TopPairsQuestion{cells, top});
        return table_of_columns({{"pair", counted(shares->size())}, {"share", *shares}});
    }
};

}  // namespace ropewalk
