// What figures of a whole model share: heat maps with a cell for each head, or for each layer and pair.
#pragma once

#include <cmath>
#include <string>

#include "app/figures/parts/curves/curves.h"
#include "app/figures/parts/figure_defaults.h"
#include "core/models/model.h"

namespace ropewalk {

inline constexpr auto no_model_message = "Open a model to see this figure: File, Open model.";

/// Returns the message of a figure that shows nothing yet: there is no model, or it is still computed.
inline const char* model_message(const FigureInput& input) {
    return is_of_model(input.experiment()) ? still_computing : no_model_message;
}

/// Returns the badge of a figure that lacks what depends on weights that are NaN or infinite.
inline Badge problem_badge(const std::string& problem) {
    if (problem.empty()) return {};
    return {.text = "NaN or infinite weights", .title = "Weights", .help = problem, .is_fault = true};
}

/// Returns a loss as text; a token that is not predicted has none.
inline std::string loss_text(double loss) {
    return std::isnan(loss) ? "none" : readable(loss, 3);
}

/// A head of a model.
struct HeadPlace {
    int layer = 0, head = 0;

    std::string settings() const { return fmt::format("construction.layer={} construction.head={}", layer, head); }
};

/// Returns the selected head.
inline HeadPlace selected_head(const Experiment& experiment) {
    const auto learned = learned_head_of(experiment.construction);
    return learned ? HeadPlace{learned->layer, learned->head} : HeadPlace{};
}

inline Axis layer_axis(int layers) {
    return {.title = "layer", .low = -0.5, .high = layers - 0.5, .downwards = true, .whole = true};
}
inline Axis head_axis(int heads) {
    return {.title = "head", .low = -0.5, .high = heads - 0.5, .whole = true};
}

/// Returns the head under the pointer, of a plot with layers down and heads across.
inline std::optional<HeadPlace> head_at(const Frame& frame, Point at, int layers, int heads) {
    const auto layer = index_down(frame, at, layers), head = index_across(frame, at, heads);
    if (!layer || !head) return std::nullopt;
    return HeadPlace{*layer, *head};
}

/// The layers or heads shown where not all fit. Parts have fixed places, so that a click inside one does not move it.
struct MapPart {
    int first = 0, count = 1, all = 1;

    /// Returns all, if `room` logical pixels are enough for them, or the part with the selected one.
    static MapPart around(int selected, int all, double room);
    bool is_whole() const { return count == all; }
    /// Returns the axis of all, restricted to this part.
    Axis on(Axis axis) const;
};

/// Draws a track, across or down, with the place of the part among all.
void draw_part_track(const MapPart& part, const Rect& track, const Theme& theme, Canvas& canvas);

/// Returns the cell of a head.
Rect cell_of(const HeadPlace& place, const Frame& frame);

/// Draws a ring around the selected head.
void draw_selected(const Rect& cell, const Theme& theme, Canvas& canvas);

/// The parts of a heat map figure of a model.
struct ModelMap {
    HeatMap map;
    Axis x, y;
    std::string quantity;  // beside the colour bar
};
/// Draws the map with its axes and colour bar; without values, the message.
Frame draw_model_map(const ModelMap& shown, const char* message, const FigureInput& input, Canvas& canvas,
                     const Rect& rect);

}  // namespace ropewalk
