// How close a head's logits come to the bound set by its norms, per token (Barbero et al. 2024, arXiv:2410.06205,
// Tables 3–5).
#pragma once

#include "app/figures/parts/curves.h"
#include "app/figures/parts/figure_defaults.h"
#include "core/numbers/numbers.h"

namespace ropewalk {

struct AlignmentFigure : FigureDefaults {
    static constexpr auto id = "alignment", title = "Alignment";
    static constexpr auto summary =
        "Each token's logit on itself and on the previous token, with the Cauchy–Schwarz bound ‖q‖‖k‖/√d that "
        "positional heads reach.";
    static constexpr auto table_shape = "[tokens, 5]";
    int tokens = 512;

    bool operator==(const AlignmentFigure&) const = default;

    template <class S, class F>
    static void fields(S& s, F&& f) {
        f(Field{.name = "tokens",
                .label = "Tokens",
                .min = 1,
                .max = 65536,
                .slider_max = 4096,
                .logarithmic = true,
                .help = "Number of tokens, starting with the first."},
          s.tokens);
    }

    Needs needs(const Experiment& experiment, PlotPixels) const { return {question(experiment)}; }

    Frame draw(const FigureInput& input, Canvas& canvas, const Rect& rect) const {
        const auto plots = beside_ghost(input, [this](const FigureInput& of) { return std::vector{plot_of(of)}; });
        return draw_curves(plots, input, canvas, rect);
    }

    std::optional<Cursor> pick(const FigureInput& input, const Frame& frame, Point at) const {
        const auto token = index_across(frame, at, input.experiment().seq_len);
        if (!token) return std::nullopt;
        return Cursor{*token, std::max(*token - 1, 0), input.cursor.pair};
    }

    std::string readout(const FigureInput& input) const {
        const auto rows = input.results.find(question(input.experiment()));
        const auto token = static_cast<std::size_t>(input.cursor.query);
        if (!rows || token >= rows->size()) return place_text(input, input.cursor);
        const TokenAlignment& row = (*rows)[token];
        std::string text = fmt::format("token {}   diagonal {} of {}", row.token, readable(row.diagonal),
                                       readable(row.diagonal_bound));
        if (row.previous)
            text += fmt::format("   previous {} of {}", readable(*row.previous), readable(*row.previous_bound));
        return text;
    }

    DataTable table(const Results& results) const {
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

  private:
    CurvePlot plot_of(const FigureInput& input) const {
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

    AlignmentQuestion question(const Experiment& experiment) const { return {std::min(tokens, experiment.seq_len)}; }
};

}  // namespace ropewalk
