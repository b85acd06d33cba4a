// How strongly queries and keys use each pair, per token (Barbero et al. 2024, section 4).
#pragma once

#include "app/figures/parts/curves/zoom.h"

namespace ropewalk {

struct FrequencyUsageFigure : ZoomableFigure {
    static constexpr auto id = "frequency_usage", title = "Frequency usage";
    static constexpr auto summary =
        "‖qₜ‖ and ‖kₜ‖ of every pair and token. Large norms show which frequencies the head uses.";
    static constexpr bool has_color_bar = true;

    bool operator==(const FrequencyUsageFigure&) const = default;

    Needs needs(const Experiment& experiment, PlotPixels pixels) const {
        const Interval tokens = shown_tokens(experiment);
        return {UsageQuestion{.cells = std::clamp(pixels.across, 1, tokens.size()), .tokens = tokens}};
    }

    /// Draws queries above keys, with one colour range and one set of labels.
    Frame draw(const FigureInput& input, Canvas& canvas, const Rect& rect) const {
        const auto usage = usage_in(input.results);
        const auto norms = [&](std::vector<double> FrequencyUsage::*which) {
            return usage ? SharedNumbers(usage->answer, *usage->answer.*which) : SharedNumbers();
        };
        const auto query = norms(&FrequencyUsage::query), key = norms(&FrequencyUsage::key);
        const double max =
            usage
                ? input.reached("norms", united(input.range_of({.values = query}), input.range_of({.values = key}))).max
                : 1;
        const Interval tokens = usage ? usage->question.tokens : Interval{};
        Half queries = half(input, {query, tokens}, "‖qₜ‖", max), keys = half(input, {key, tokens}, "‖kₜ‖", max);
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
        const auto& [question, answer] = *usage;
        const int tokens = (question.tokens.size() + question.cells - 1) / question.cells;
        if (tokens == 1) return {};
        const bool is_constant = input.results.problem->inputs.is_constant();
        const bool has_all = is_constant || answer->tokens_per_cell >= tokens;
        return pooling_badge(fmt::format("each cell averages {} tokens{}", tokens,
                                         has_all ? "" : fmt::format(", {} sampled", answer->tokens_per_cell)),
                             fmt::format("mean of {}", tokens));
    }

    std::string readout(const FigureInput& input) const {
        std::string text = fmt::format("token {}   pair {}", input.cursor.query, input.cursor.pair);
        const auto usage = usage_in(input.results);
        if (!usage || !usage->question.tokens.contains(input.cursor.query)) return text;
        const auto& [question, answer] = *usage;
        const Viewport tokens{.rows = question.tokens, .cells_down = question.cells};
        const std::size_t at =
            static_cast<std::size_t>(input.cursor.pair) * answer->cells + tokens.row_cell(input.cursor.query);
        return text + fmt::format("   ‖q‖ {}   ‖k‖ {}", readable(answer->query[at]), readable(answer->key[at]));
    }

    std::vector<Handle> handles(const FigureInput& input) const { return pair_handles(input, Mark::Way::across); }

    /// Returns [2, cells, pairs]: ‖q‖ by cell of the shown tokens and pair, then ‖k‖.
    DataTable table(const Results& results) const {
        const FrequencyUsage& usage = *usage_in(results)->answer;
        DataTable table{.shape = {2, usage.cells, usage.pairs}, .columns = numbered_columns("pair_", usage.pairs)};
        for (const auto* norms : {&usage.query, &usage.key})
            for (int token = 0; token < usage.cells; ++token)
                for (int pair = 0; pair < usage.pairs; ++pair)
                    table.values.push_back((*norms)[static_cast<std::size_t>(pair) * usage.cells + token]);
        return table;
    }

  private:
    static constexpr double gap = 6;  // between the halves, logical pixels

    /// Returns the tokens of which the axis shows at least a part.
    Interval shown_tokens(const Experiment& experiment) const {
        const double last = experiment.seq_len - 1;
        if (x_range.size() != 2 || !(x_range[0] <= last && x_range[1] >= 0)) return {0, experiment.seq_len};
        return {static_cast<int>(std::clamp(std::round(x_range[0]), 0.0, last)),
                static_cast<int>(std::clamp(std::round(x_range[1]), 0.0, last)) + 1};
    }

    /// Returns the answer for the shown tokens or, until it arrives, another one.
    std::optional<Answered<UsageQuestion>> usage_in(const Results& results) const {
        const auto all = results.all_of<UsageQuestion>();
        const Interval shown = shown_tokens(results.request.experiment);
        const auto found =
            std::find_if(all.begin(), all.end(), [&](const auto& usage) { return usage.question.tokens == shown; });
        if (found != all.end()) return *found;
        return all.empty() ? std::nullopt : std::optional(all.front());
    }

    struct Norms {
        SharedNumbers values;  // [pairs, cells]
        Interval tokens;
    };
    struct Half {
        HeatMap map;  // the shown pairs of all computed tokens
        Interval pairs, tokens;
        PlotOptions options;
    };

    Half half(const FigureInput& input, const Norms& norms, const char* name, double max) const {
        const int pairs = input.experiment().head_dim / 2;
        HeatMap map{.values = norms.values,
                    .scale = {.map = ColorMap::viridis, .min = 0, .max = max > 0 ? max : 1},
                    .not_a_number = input.theme.not_a_number};
        PlotOptions options;
        options.x = token_axis(input, "token", -0.5, input.experiment().seq_len - 0.5);
        options.x.along = Along::query;
        options.y = pairs_downwards(input);
        options.color_bar = color_bar_of(input, map, name);
        options.grid = false;
        options = zoomed(options, {x_range, y_range});
        const auto pair_at = [&](double at) { return static_cast<int>(std::clamp(at, 0.0, pairs + 0.0)); };
        const Interval shown{pair_at(std::floor(options.y.low + 0.5)), pair_at(std::ceil(options.y.high + 0.5))};
        if (norms.values) {
            map.rows = shown.size(), map.columns = static_cast<int>(norms.values->size()) / pairs;
            map.values = SharedNumbers(norms.values.pointer(),
                                       norms.values->subspan(static_cast<std::size_t>(shown.begin * map.columns),
                                                             static_cast<std::size_t>(shown.size() * map.columns)));
        }
        return {map, shown, norms.tokens, options};
    }

    static Frame draw_half(const Half& half, const FigureInput& input, Canvas& canvas, const Rect& rect) {
        const Frame frame = layout(half.options, canvas, rect, input.theme);
        draw_background(half.options, frame, canvas, input.theme);
        const Point top_left = frame.to_pixels(half.tokens.begin - 0.5, half.pairs.begin - 0.5),
                    bottom_right = frame.to_pixels(half.tokens.end - 0.5, half.pairs.end - 0.5);
        if (half.map.values && half.map.rows > 0) {
            canvas.push_clip(frame.plot);  // cells at the edges of a zoomed plot are seen in part
            canvas.heat_map({top_left.x, top_left.y, bottom_right.x - top_left.x, bottom_right.y - top_left.y},
                            half.map);
            canvas.pop_clip();
        }
        if (input.cursor_shown) draw_cross_hair(input.cursor.query, input.cursor.pair, frame, canvas);
        draw_axes(half.options, frame, canvas, input.theme);
        return frame;
    }
};

}  // namespace ropewalk
