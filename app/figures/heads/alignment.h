// How close a head's logits come to the bound set by its norms, per token (Barbero et al. 2024, arXiv:2410.06205,
// Tables 3–5).
#pragma once

#include "app/figures/parts/curves/curve_figure.h"

namespace ropewalk {

struct AlignmentFigure : CurveFigure<AlignmentFigure> {
    static constexpr auto id = "alignment", title = "Alignment";
    static constexpr auto summary =
        "Each token's logit on itself and on the previous token, with the Cauchy–Schwarz bound ‖q‖‖k‖/√d. Constructed "
        "positional heads reach it; those of Gemma 7B reach 66 to 91 % (diagonal) or 18 to 45 % (previous token). "
        "See Barbero et al., Tables 3 to 5.";
    static constexpr auto table_shape = "[tokens, 5]";
    static constexpr bool has_row_per_x = true;
    int tokens = 512;

    bool operator==(const AlignmentFigure&) const = default;

    static void fields(auto& s, auto&& f) {
        f(Field{.name = "tokens",
                .label = "Tokens",
                .min = 1,
                .max = 65536,
                .slider_max = 4096,
                .logarithmic = true,
                .help = "Number of tokens, starting with the first."},
          s.tokens);
        zoom_fields(s, f);
    }

    bool draws_reference() const { return false; }
    AlignmentQuestion question(const Experiment& experiment) const {
        return {.count = std::min(tokens, experiment.seq_len)};
    }
    Needs needs(const Experiment& experiment, PlotPixels) const { return {question(experiment)}; }

    std::optional<Cursor> pick(const FigureInput& input, const Frame& frame, Point at) const {
        auto picked = pick_on(input, frame, at);
        if (picked) picked->key = std::max(picked->query - 1, 0);
        return picked;
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
        const auto rows = results.find(question(results.request.experiment));
        return table_of_columns({{"token", column_of(*rows, &TokenAlignment::token)},
                                 {"diagonal", column_of(*rows, &TokenAlignment::diagonal)},
                                 {"diagonal_bound", column_of(*rows, &TokenAlignment::diagonal_bound)},
                                 {"previous", column_of(*rows, &TokenAlignment::previous)},
                                 {"previous_bound", column_of(*rows, &TokenAlignment::previous_bound)}});
    }

    std::vector<CurvePlot> plots_of(const FigureInput& input) const {
        const AlignmentQuestion asked = question(input.experiment());
        const auto rows = input.results.find(asked);
        Axis axis = token_axis(input, "token", -0.5, std::max(asked.count, 2) - 0.5);
        axis.along = Along::query;
        CurvePlot plot{.x = axis, .y = {.title = "logit $q\\cdot k/\\sqrt{d}$", .low = 1, .high = 0}};
        if (!rows) {
            plot.message = still_computing;
            return {plot};
        }
        const auto points = [&](auto member) {
            return points_of(column_of(*rows, &TokenAlignment::token), column_of(*rows, member));
        };
        const Color diagonal = input.theme.series[0], previous = input.theme.series[1];
        // Widths decrease from bottom to top, so that each curve stays visible beneath the next.
        plot.series = {{.label = "bound, diagonal",
                        .points = points(&TokenAlignment::diagonal_bound),
                        .color = input.theme.faded(diagonal, 0.55),
                        .width = 2.25,
                        .dash = 5},
                       {.label = "bound, previous",
                        .points = points(&TokenAlignment::previous_bound),
                        .color = input.theme.faded(previous, 0.55),
                        .width = thin_line,
                        .dash = 5},
                       {.label = "diagonal",
                        .points = points(&TokenAlignment::diagonal),
                        .color = diagonal,
                        .width = 4,
                        .is_compared = true},
                       {.label = "previous token",
                        .points = points(&TokenAlignment::previous),
                        .color = previous,
                        .width = 2.5,
                        .is_compared = true}};
        return {plot};
    }
};

}  // namespace ropewalk
