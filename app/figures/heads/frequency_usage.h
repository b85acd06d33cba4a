// How strongly queries and keys use each pair, per token (Barbero et al. 2024, section 4).
#pragma once

#include "app/figures/parts/figure_defaults.h"

namespace ropewalk {

struct FrequencyUsageFigure : FigureDefaults {
    static constexpr auto id = "frequency_usage", title = "Frequency usage";
    static constexpr auto summary =
        "‖qₜ‖ and ‖kₜ‖ of every pair and token. Large norms show which frequencies the head uses.";
    static constexpr bool has_color_bar = true;

    bool operator==(const FrequencyUsageFigure&) const = default;

    Needs needs(const Experiment& experiment, PlotPixels pixels) const {
        return {UsageQuestion{.cells = std::clamp(pixels.across, 1, experiment.seq_len)}};
    }

    /// Draws queries above keys, with one colour range and one set of labels.
    Frame draw(const FigureInput& input, Canvas& canvas, const Rect& rect) const {
        const auto usage = usage_in(input.results);
        const auto norms = [&](std::vector<double> FrequencyUsage::*which) {
            return usage ? SharedNumbers(usage, *usage.*which) : SharedNumbers();
        };
        const auto query = norms(&FrequencyUsage::query), key = norms(&FrequencyUsage::key);
        const double max =
            usage
                ? input.reached("norms", united(input.range_of({.values = query}), input.range_of({.values = key}))).max
                : 1;
        Half queries = half(input, query, "‖qₜ‖", max), keys = half(input, key, "‖kₜ‖", max);
        queries.options.x_labels = false;
        // Gives both plots the same height although only the lower one has labels.
        const Rect first{rect.x, rect.y, rect.width, (rect.height - gap) / 2};
        const auto below = [&](const Half& half) {
            return first.bottom() - layout(half.options, canvas, first, input.theme).plot.bottom();
        };
        const double height = std::max(0.0, first.height - (below(keys) - below(queries)) / 2);
        const Rect upper{rect.x, rect.y, rect.width, height};
        const Rect lower{rect.x, upper.bottom() + gap, rect.width, rect.bottom() - upper.bottom() - gap};
        Frame upper_frame = draw_half(queries, input, canvas, upper);
        Frame frame = draw_half(keys, input, canvas, lower);
        const std::vector<Mark> marks = marks_to_drag(handles(input), input);
        draw_mark_lines(marks, frame, canvas);
        draw_mark_names(marks, input, frame, canvas);
        frame.above.push_back(std::move(upper_frame));
        frame.outer = rect;
        return frame;
    }

    /// Returns the number of tokens that a cell averages; empty if it is one.
    Badge badge(const FigureInput& input) const {
        const auto usage = usage_in(input.results);
        if (!usage) return {};
        const int tokens = (input.experiment().seq_len + usage->cells - 1) / usage->cells;
        if (tokens == 1) return {};
        const bool is_constant = input.results.problem->inputs.is_constant();
        const bool has_all = is_constant || usage->tokens_per_cell >= tokens;
        return pooling_badge(fmt::format("each cell averages {} tokens{}", tokens,
                                         has_all ? "" : fmt::format(", {} sampled", usage->tokens_per_cell)),
                             fmt::format("mean of {}", tokens));
    }

    std::string readout(const FigureInput& input) const {
        std::string text = fmt::format("token {}   pair {}", input.cursor.query, input.cursor.pair);
        const auto usage = usage_in(input.results);
        if (!usage) return text;
        const Viewport tokens{.rows = {0, input.experiment().seq_len}, .cells_down = usage->cells};
        const std::size_t at =
            static_cast<std::size_t>(input.cursor.pair) * usage->cells + tokens.row_cell(input.cursor.query);
        return text + fmt::format("   ‖q‖ {}   ‖k‖ {}", readable(usage->query[at]), readable(usage->key[at]));
    }

    std::vector<Handle> handles(const FigureInput& input) const { return pair_handles(input, Mark::Way::across); }

    /// Returns [2, cells, pairs]: ‖q‖ by cell of tokens and pair, then ‖k‖.
    DataTable table(const Results& results) const {
        const FrequencyUsage& usage = *usage_in(results);
        DataTable table{.shape = {2, usage.cells, usage.pairs}, .columns = numbered_columns("pair_", usage.pairs)};
        for (const auto* norms : {&usage.query, &usage.key})
            for (int token = 0; token < usage.cells; ++token)
                for (int pair = 0; pair < usage.pairs; ++pair)
                    table.values.push_back((*norms)[static_cast<std::size_t>(pair) * usage.cells + token]);
        return table;
    }

  private:
    static constexpr double gap = 6;  // between the halves, logical pixels

    static std::shared_ptr<const FrequencyUsage> usage_in(const Results& results) {
        const auto all = results.all_of<UsageQuestion>();
        return all.empty() ? nullptr : all.front().answer;
    }

    struct Half {
        HeatMap map;
        PlotOptions options;
    };

    static Half half(const FigureInput& input, const SharedNumbers& norms, const char* name, double max) {
        const int pairs = input.experiment().head_dim / 2;
        HeatMap map{.scale = {.map = ColorMap::viridis, .min = 0, .max = max > 0 ? max : 1},
                    .not_a_number = input.theme.not_a_number};
        if (norms) map.values = norms, map.rows = pairs, map.columns = static_cast<int>(norms->size()) / pairs;
        PlotOptions options;
        options.x = token_axis(input, "token", -0.5, input.experiment().seq_len - 0.5);
        options.x.along = Along::query;
        options.y = pairs_downwards(input);
        options.color_bar = color_bar_of(input, map, name);
        options.grid = false;
        return {map, options};
    }

    static Frame draw_half(const Half& half, const FigureInput& input, Canvas& canvas, const Rect& rect) {
        const Frame frame = layout(half.options, canvas, rect, input.theme);
        draw_background(half.options, frame, canvas, input.theme);
        if (half.map.values) draw_heat_map(half.map, frame, canvas);
        if (input.cursor_shown) draw_cross_hair(input.cursor.query, input.cursor.pair, frame, canvas);
        draw_axes(half.options, frame, canvas, input.theme);
        return frame;
    }
};

}  // namespace ropewalk
