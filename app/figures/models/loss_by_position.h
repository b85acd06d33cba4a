// What each method of context extension costs a model, token by token.
#pragma once

#include "app/figures/models/model_map.h"
#include "app/figures/parts/curves/curve_figure.h"
#include "app/figures/parts/curves/place_of_encoding.h"

namespace ropewalk {

struct LossByPositionFigure : CurveFigure<LossByPositionFigure> {
    static constexpr auto id = "loss_by_position", title = "Loss by position";
    static constexpr auto summary =
        "The loss of every token under the current encoding and under every extension method, in all layers of the "
        "model.";
    static constexpr auto source = "Peng et al. 2023, arXiv:2309.00071, Fig. 2; Chen et al. 2023, arXiv:2306.15595";
    static constexpr auto table_shape = "[tokens, 1 + methods]";
    double factor = 0;
    int trained = 0;

    bool operator==(const LossByPositionFigure&) const = default;

    static void fields(auto& s, auto&& f) {
        f(Field{.name = "factor",
                .label = "Extend by s",
                .unit = "×",
                .min = 0,
                .max = 1024,
                .slider_max = 64,
                .min_means = "the text",
                .help = "Factor of the context extension, the same for all methods. 0: the length of the text over the "
                        "training length, at least 1."},
          s.factor);
        f(Field{.name = "trained",
                .label = "Training length L",
                .unit = "tokens",
                .min = 0,
                .max = longest_sequence,
                .min_means = "the model's",
                .help = "Training length to extend from. 0: the model's own."},
          s.trained);
        zoom_fields(s, f);
    }

    LossByPositionQuestion question() const { return {.factor = factor, .trained = trained}; }
    bool draws_reference() const { return false; }
    Needs needs(const Experiment&, PlotPixels) const { return {question()}; }

    Badge badge(const FigureInput& input) const {
        const auto found = input.results.find(question());
        if (!found || found->present.empty()) return {};
        return {fmt::format("s = {}, L = {}", readable(found->factor), readable(found->trained)), "Extension",
                "Factor s and training length L of the extension, the same for all methods."};
    }

    std::string readout(const FigureInput& input) const {
        const auto found = input.results.find(question());
        const auto at = static_cast<std::size_t>(input.cursor.query);
        if (!found || at >= found->present.size()) return model_message(input);
        std::string text =
            fmt::format("token {}   loss {}", token_text(input, input.cursor.query), loss_text(found->present[at]));
        for (const auto& method : found->methods)
            text += fmt::format("   {} {}", method.title, loss_text(method.loss[at]));
        return text;
    }

    DataTable table(const Results& results) const {
        const auto found = results.find(question());
        if (found->present.empty()) throw InputError(no_model_message);
        std::vector<std::pair<std::string, std::vector<double>>> columns{{"present", found->present}};
        for (const auto& method : found->methods) columns.emplace_back(method.id, method.loss);
        return table_of_columns(columns);
    }

    std::vector<CurvePlot> plots_of(const FigureInput& input) const {
        const Theme& theme = input.theme;
        const auto found = input.results.find(question());
        CurvePlot plot;
        plot.x = query_axis(input, -0.5, std::max(input.experiment().seq_len, 2) - 0.5);
        plot.x.title = "token";
        plot.y = {.title = "loss (nats)", .low = 1, .high = 0};
        if (!found || found->present.empty()) {
            plot.message = model_message(input);
            return {plot};
        }
        for (const auto& method : found->methods) {
            const Stroke stroke = theme.curve(1 + place_of_encoding(method.id, {}));
            plot.series.push_back({.label = method.title,
                                   .values = SharedNumbers(found, method.loss),
                                   .color = stroke.color,
                                   .width = stroke.width});
        }
        plot.series.push_back(
            {.label = "as set here", .values = SharedNumbers(found, found->present), .color = theme.curve(0).color});
        return {plot};
    }
};

}  // namespace ropewalk
