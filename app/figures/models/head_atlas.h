// All heads of a model at once, one number each.
#pragma once

#include "app/figures/models/model_map.h"
#include "app/figures/parts/text/caption.h"

namespace ropewalk {

struct HeadAtlasFigure : FigureDefaults {
    static constexpr auto id = "head_atlas", title = "Head atlas";
    static constexpr auto summary = "One number for every head of a model, layers down and heads across. Click a head.";
    static constexpr auto source = "Hong et al. 2024; Wendler 2025, experiments 2, 4, 5 and 6; Barbero et al. 2024";
    static constexpr auto table_shape = "[layers, heads]";
    static constexpr bool has_color_bar = true;
    AtlasMeasure measure = AtlasMeasure::previous;

    bool operator==(const HeadAtlasFigure&) const = default;

    static void fields(auto& s, auto&& f) {
        f(Field{.name = "measure",
                .label = "Measure",
                .help = "Mean weight on the previous token, the token itself or the first token; entropy; alignment "
                        "with the bound; mean wavelength used; Hong et al.'s correlation; rank of the weights; use of "
                        "slow pairs; copying (layers in between are ignored); induction; or the loss without a head's "
                        "rotation or output."},
          s.measure);
    }

    std::optional<std::string> own_name() const { return name_of(measure).title; }
    AtlasQuestion question() const { return {.measure = measure}; }
    Needs needs(const Experiment&, PlotPixels) const { return {question()}; }

    Frame draw(const FigureInput& input, Canvas& canvas, const Rect& rect) const {
        const auto atlas = input.results.find(question());
        ModelMap shown{.quantity = quantity()};
        if (atlas && !atlas->values.empty()) shown = map_of(atlas, input);
        const Frame frame = draw_model_map(shown, model_message(input), input, canvas, rect);
        if (shown.map.values) draw_selected(cell_of(selected_head(input.experiment()), frame), input.theme, canvas);
        return frame;
    }

    Badge badge(const FigureInput& input) const {
        const auto atlas = input.results.find(question());
        return atlas ? problem_badge(atlas->problem) : Badge{};
    }

    /// Returns the settings that select the head under the pointer.
    std::string chosen(const FigureInput& input, const Frame& frame, Point at) const {
        const auto atlas = input.results.find(question());
        const auto place = atlas ? head_at(frame, at, atlas->layers, atlas->heads) : std::nullopt;
        return place ? place->settings() : "";
    }

    std::string readout(const FigureInput& input) const {
        const auto atlas = input.results.find(question());
        const HeadPlace at = selected_head(input.experiment());
        if (!atlas || at.layer >= atlas->layers || at.head >= atlas->heads) return model_message(input);
        return fmt::format("layer {}   head {}   {} {}", at.layer, at.head, quantity(),
                           readable(atlas->at(at.layer, at.head)));
    }

    DataTable table(const Results& results) const {
        const auto atlas = results.find(question());
        if (atlas->values.empty()) throw InputError(no_model_message);
        if (!atlas->problem.empty()) throw InputError(atlas->problem);
        return {.shape = {atlas->layers, atlas->heads},
                .columns = numbered_columns("head_", atlas->heads),
                .values = atlas->values};
    }

  private:
    /// Returns the measure's name within a sentence.
    std::string quantity() const {
        const char* const name = name_of(measure).title;
        return measure == AtlasMeasure::spearman ? name : uncapitalised(name);
    }

    /// Shares and weights begin at 0; a correlation is signed; other numbers take the range that they have.
    ModelMap map_of(const std::shared_ptr<const HeadAtlas>& atlas, const FigureInput& input) const {
        const SharedNumbers values(atlas, atlas->values);
        const ValueRange range = input.reached("measure", input.range_of({.values = values}));
        ColorScale scale{.map = ColorMap::viridis, .min = range.min, .max = range.max};
        const bool is_signed = measure == AtlasMeasure::spearman || (measure == AtlasMeasure::bound && range.min < 0);
        if (is_signed) scale = {.map = ColorMap::diverging, .min = -1, .max = 1};
        const bool is_share = measure <= AtlasMeasure::first || measure == AtlasMeasure::induction ||
                              measure == AtlasMeasure::slow_share || measure == AtlasMeasure::copying;
        if (is_share) scale.min = 0;
        if (!(scale.max > scale.min)) scale.max = scale.min + 1;
        return {.map = {.values = values,
                        .rows = atlas->layers,
                        .columns = atlas->heads,
                        .scale = scale,
                        .not_a_number = input.theme.not_a_number},
                .x = head_axis(atlas->heads),
                .y = layer_axis(atlas->layers),
                .quantity = quantity()};
    }
};

}  // namespace ropewalk
