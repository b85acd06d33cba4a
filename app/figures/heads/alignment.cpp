#include "app/figures/heads/alignment.h"

#include <fmt/format.h>

#include <algorithm>

namespace ropewalk {

Frame AlignmentFigure::draw(const FigureInput& input, Canvas& canvas, const Rect& rect) const {
    const auto plots = beside_ghost(input, [this](const FigureInput& of) { return std::vector{plot_of(of)}; });
    return draw_curves(plots, input, canvas, rect);
}

std::optional<Cursor> AlignmentFigure::pick(const FigureInput& input, const Frame& frame, Point at) const {
    const auto token = index_across(frame, at, input.experiment().seq_len);
    if (!token) return std::nullopt;
    return Cursor{*token, std::max(*token - 1, 0), input.cursor.pair};
}

std::string AlignmentFigure::readout(const FigureInput& input) const {
    const auto rows = input.results.find(question(input.experiment()));
    const auto token = static_cast<std::size_t>(input.cursor.query);
    if (!rows || token >= rows->size()) return place_text(input, input.cursor);
    const TokenAlignment& row = (*rows)[token];
    std::string text =
        fmt::format("token {}   diagonal {} of {}", row.token, readable(row.diagonal), readable(row.diagonal_bound));
    if (row.previous)
        text += fmt::format("   previous {} of {}", readable(*row.previous), readable(*row.previous_bound));
    return text;
}

DataTable AlignmentFigure::table(const Results& results) const {
    std::vector<double> columns[5];
    for (const TokenAlignment& row : *results.find(question(results.request.experiment))) {
        columns[0].push_back(row.token);
        columns[1].push_back(row.diagonal);
        columns[2].push_back(row.diagonal_bound);
        columns[3].push_back(row.previous.value_or(nan));
        columns[4].push_back(row.previous_bound.value_or(nan));
    }
    return table_of_columns({{"token", columns[0]},
                             {"diagonal", columns[1]},
                             {"diagonal_bound", columns[2]},
                             {"previous", columns[3]},
                             {"previous_bound", columns[4]}});
}

CurvePlot AlignmentFigure::plot_of(const FigureInput& input) const {
    const Theme& theme = input.theme;
    const auto rows = input.results.find(question(input.experiment()));
    // Widths decrease from bottom to top, so that each curve stays visible beneath the next.
    Series diagonal{.label = "diagonal", .color = theme.series[0], .width = 4, .is_compared = true},
        previous{.label = "previous token", .color = theme.series[1], .width = 2.5, .is_compared = true},
        diagonal_bound{
            .label = "bound, diagonal", .color = theme.faded(theme.series[0], 0.55), .width = 2.25, .dash = 5},
        previous_bound{
            .label = "bound, previous", .color = theme.faded(theme.series[1], 0.55), .width = thin_line, .dash = 5};
    if (rows)
        for (const TokenAlignment& row : *rows) {
            const double token = row.token;
            diagonal.points.push_back({token, row.diagonal});
            diagonal_bound.points.push_back({token, row.diagonal_bound});
            previous.points.push_back({token, row.previous.value_or(nan)});
            previous_bound.points.push_back({token, row.previous_bound.value_or(nan)});
        }
    CurvePlot plot{.x = token_axis(input, "token", -0.5, std::max(question(input.experiment()).count, 2) - 0.5),
                   .y = {.title = "logit q·k/√d", .low = 1, .high = 0},
                   .series = {diagonal_bound, previous_bound, diagonal, previous},
                   .cursor_x = static_cast<double>(input.cursor.query)};
    if (!rows) plot.message = still_computing;
    return plot;
}

}  // namespace ropewalk
