#include "app/figures/heads/top_pairs.h"

#include <fmt/format.h>

namespace ropewalk {

Badge TopPairsFigure::badge(const FigureInput& input) const {
    const auto all = unmasked_cells(*input.results.problem);
    if (all <= cells) return {fmt::format("all {} entries", readable(static_cast<double>(all))), "Entries", ""};
    return {fmt::format("sampled entries ({})", readable(cells)), "Entries", "Evenly spread over the matrix."};
}

Frame TopPairsFigure::draw(const FigureInput& input, Canvas& canvas, const Rect& rect) const {
    const auto shares = input.results.find(TopPairsQuestion{.cells = cells, .top = top});
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

std::optional<Cursor> TopPairsFigure::pick(const FigureInput& input, const Frame& frame, Point at) const {
    return pick_pair(input, frame, at);
}

std::string TopPairsFigure::readout(const FigureInput& input) const {
    const auto shares = input.results.find(TopPairsQuestion{.cells = cells, .top = top});
    const auto pair = static_cast<std::size_t>(input.cursor.pair);
    if (!shares || pair >= shares->size()) return place_text(input, input.cursor);
    return fmt::format("pair {}   share {}", pair, readable((*shares)[pair]));
}

DataTable TopPairsFigure::table(const Results& results) const {
    const auto shares = results.find(TopPairsQuestion{.cells = cells, .top = top});
    return table_of_columns({{"pair", counted(shares->size())}, {"share", *shares}});
}

}  // namespace ropewalk
