// How often each pair is among those that contribute most to a score (Hong et al. 2024, section 4.1 and Fig. 1).
#pragma once

#include "app/figures/parts/curves/curve_figure.h"

namespace ropewalk {

struct TopPairsFigure : CurveFigure<TopPairsFigure> {
    static constexpr auto id = "top_pairs", title = "Top pairs";
    static constexpr auto summary =
        "Each pair's share of the top five contributions, over entries from the whole matrix.";
    static constexpr auto table_shape = "[d/2, 2]";
    static constexpr bool has_row_per_x = true;
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
        zoom_fields(s, f);
    }

    bool draws_reference() const { return false; }
    TopPairsQuestion question() const { return {.cells = cells, .top = top}; }
    Needs needs(const Experiment&, PlotPixels) const { return {question()}; }

    Badge badge(const FigureInput& input) const {
        const auto all = unmasked_cells(*input.results.problem);
        if (all <= cells) return {fmt::format("all {} entries", readable(static_cast<double>(all))), "Entries", ""};
        return {fmt::format("sampled entries ({})", readable(cells)), "Entries", "Evenly spread over the matrix."};
    }

    std::string readout(const FigureInput& input) const {
        const auto shares = input.results.find(question());
        const auto pair = static_cast<std::size_t>(input.cursor.pair);
        if (!shares || pair >= shares->size()) return place_text(input, input.cursor);
        return fmt::format("pair {}   share {}", pair, readable((*shares)[pair]));
    }

    DataTable table(const Results& results) const {
        const auto shares = results.find(question());
        return table_of_columns({{"pair", counted(shares->size())}, {"share", *shares}});
    }

    std::vector<CurvePlot> plots_of(const FigureInput& input) const {
        const auto shares = input.results.find(question());
        const double equal = 1.0 / (input.experiment().head_dim / 2);
        CurvePlot plot{.x = pair_axis(input), .y = {.title = fmt::format("share of top {}", top), .low = 1, .high = 0}};
        if (shares)
            plot.series = {{.label = "this head", .values = shares, .color = input.theme.series[0], .as_bars = true},
                           {.label = "equal shares",
                            .points = {{plot.x.low, equal}, {plot.x.high, equal}},
                            .color = input.theme.text_dim,
                            .dash = 5}};
        else
            plot.message = still_computing;
        return {plot};
    }
};

}  // namespace ropewalk
