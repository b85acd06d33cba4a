// How strongly each layer of a model uses each pair (Barbero et al. 2024, Fig. 3–6 and 10–15).
#pragma once

#include "app/figures/models/model_map.h"

namespace ropewalk {

enum class UsageOf { all_heads, this_head };
template <>
struct EnumText<UsageOf> {
    static constexpr std::array<EnumName, 2> names{{{"all_heads", "All heads"}, {"this_head", "This head"}}};
};

struct UsageByLayerFigure : FigureDefaults {
    static constexpr auto id = "usage_by_layer", title = "Usage by layer";
    static constexpr auto summary =
        "Mean ‖qₜ‖ times mean ‖kₜ‖ of every pair in every layer, over the text: which frequencies the model uses.";
    static constexpr auto source = "Barbero et al. 2024, arXiv:2410.06205, Fig. 3–6";
    static constexpr auto table_shape = "[layers, d/2]";
    static constexpr bool has_color_bar = true;
    UsageOf of = UsageOf::all_heads;

    bool operator==(const UsageByLayerFigure&) const = default;

    static void fields(auto& s, auto&& f) {
        f(Field{.name = "of",
                .label = "Heads",
                .help = "The mean over all heads, or the selected head's number in every layer."},
          s.of);
    }

    LayerUsageQuestion question(const Experiment& experiment) const {
        LayerUsageQuestion asked;
        if (of == UsageOf::this_head) asked.head = selected_head(experiment).head;
        return asked;
    }
    Needs needs(const Experiment& experiment, PlotPixels) const { return {question(experiment)}; }

    Frame draw(const FigureInput& input, Canvas& canvas, const Rect& rect) const {
        const auto usage = input.results.find(question(input.experiment()));
        ModelMap shown;
        if (usage && !usage->values.empty()) {
            const SharedNumbers values(usage, usage->values);
            const double max = input.reached("usage", input.range_of({.values = values})).max;
            shown.map = {.values = values,
                         .rows = usage->layers,
                         .columns = usage->pairs,
                         .scale = {.map = ColorMap::viridis, .min = 0, .max = max > 0 ? max : 1},
                         .not_a_number = input.theme.not_a_number};
            shown.x = pair_axis(static_cast<std::size_t>(usage->pairs)), shown.y = layer_axis(usage->layers);
            shown.quantity = "‖qₜ‖ ‖kₜ‖";
        }
        const Frame frame = draw_model_map(shown, model_message(input), input, canvas, rect);
        if (shown.map.values && input.cursor_shown)
            draw_cross_hair(input.cursor.pair, selected_head(input.experiment()).layer, frame, canvas);
        return frame;
    }

    Badge badge(const FigureInput& input) const {
        const auto usage = input.results.find(question(input.experiment()));
        return usage ? problem_badge(usage->problem) : Badge{};
    }

    std::string chosen(const FigureInput& input, const Frame& frame, Point at) const {
        const auto usage = input.results.find(question(input.experiment()));
        const auto layer = usage ? index_down(frame, at, usage->layers) : std::nullopt;
        return layer ? fmt::format("construction.layer={}", *layer) : "";
    }

    std::optional<Cursor> pick(const FigureInput& input, const Frame& frame, Point at) const {
        const auto pair = index_across(frame, at, input.experiment().head_dim / 2);
        if (!pair) return std::nullopt;
        return Cursor{input.cursor.query, input.cursor.key, *pair};
    }

    std::string readout(const FigureInput& input) const {
        const auto usage = input.results.find(question(input.experiment()));
        const HeadPlace at = selected_head(input.experiment());
        if (!usage || at.layer >= usage->layers || input.cursor.pair >= usage->pairs) return model_message(input);
        return fmt::format(
            "layer {}   pair {}   usage {}", at.layer, input.cursor.pair,
            readable(usage->values[static_cast<std::size_t>(at.layer) * usage->pairs + input.cursor.pair]));
    }

    DataTable table(const Results& results) const {
        const auto usage = results.find(question(results.request.experiment));
        if (usage->values.empty()) throw InputError(no_model_message);
        if (!usage->problem.empty()) throw InputError(usage->problem);
        return {.shape = {usage->layers, usage->pairs},
                .columns = numbered_columns("pair_", usage->pairs),
                .values = usage->values};
    }
};

}  // namespace ropewalk
