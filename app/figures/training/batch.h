// The sequences that one step of training learns from.
#pragma once

#include "app/figures/parts/curves/curves.h"
#include "app/figures/parts/figure_defaults.h"
#include "app/figures/training/run_state.h"
#include "core/training/batch.h"

namespace ropewalk {

struct BatchFigure : FigureDefaults {
    static constexpr auto id = "batch", title = "Training sequences";
    static constexpr auto summary =
        "The sequences of one training step. Below each coloured token is the token that the model should predict "
        "there.";
    static constexpr auto table_shape = "[2, batch, context]: tokens, then targets, −1 where nothing is scored";
    Depicted depicted() const { return Depicted::training; }
    int step = 0;

    bool operator==(const BatchFigure&) const = default;

    static void fields(auto& s, auto&& f) {
        f(Field{.name = "step",
                .label = "Step",
                .min = 0,
                .max = 100'000,
                .slider_max = 500,
                .help = "Which step's sequences to show, from 0."},
          s.step);
    }

    bool is_text() const { return true; }
    Needs needs(const Experiment&, PlotPixels) const { return {}; }

    Frame draw(const FigureInput& input, Canvas& canvas, const Rect& rect) const {
        const Frame frame{.outer = rect, .plot = rect};
        const auto recipe = recipe_of(input.experiment());
        if (!recipe || step >= recipe->steps)
            return draw_message(recipe ? no_such_step(*recipe) : run_message(input), rect, canvas, input.theme);
        const Batch batch = batch_of(*recipe, step);
        const double width = cell_width(*recipe, input.theme, canvas), size = input.theme.label_size;
        const int columns = std::min(batch.context, std::max(1, static_cast<int>(rect.width / width)));
        int shown = 0;  // tokens, of all sequences one after the other
        double y = rect.y;
        for (int row = 0; row < batch.sequences; ++row) {
            for (int first = 0; first < batch.context; first += columns) {  // sequences are wrapped
                const int from = row * batch.context + first, count = std::min(columns, batch.context - first);
                const auto targets = std::span(batch.targets).subspan(static_cast<std::size_t>(from), count);
                const bool is_scored = std::ranges::any_of(targets, [](int target) { return target >= 0; });
                const double height = (is_scored ? 3.0 : 1.8) * size;
                if (y + height > rect.bottom() && shown > 0) return report_rest(batch, shown, canvas), frame;
                for (int column = 0; column < count; ++column)
                    draw_token(*recipe, batch, from + column, {rect.x + column * width, y, width - 2, 1.6 * size},
                               input.theme, canvas);
                y += height, shown = from + count;
            }
            y += 0.8 * size;
        }
        return frame;
    }

    std::string readout(const FigureInput& input) const {
        const auto recipe = recipe_of(input.experiment());
        if (!recipe || step >= recipe->steps) return recipe ? no_such_step(*recipe) : run_message(input);
        return fmt::format("step {}   {} sequences of {} tokens", step, recipe->batch, recipe->context);
    }

    DataTable table(const Results& results) const {
        const auto recipe = recipe_of(results.request.experiment);
        if (!recipe) throw InputError(no_run_message);
        if (step >= recipe->steps) throw InputError(no_such_step(*recipe));
        const Batch batch = batch_of(*recipe, step);
        DataTable table{.shape = {2, batch.sequences, batch.context},
                        .columns = numbered_columns("token_", batch.context)};
        table.values.assign(batch.tokens.begin(), batch.tokens.end());
        table.values.insert(table.values.end(), batch.targets.begin(), batch.targets.end());
        return table;
    }

  private:
    std::string no_such_step(const Recipe& recipe) const {
        return fmt::format("Step {} does not exist: this recipe has steps 0 to {}.", step, recipe.steps - 1);
    }
    static std::string name_of_token(const Recipe& recipe, int token) {
        return token_name(recipe.task, recipe.vocabulary, token);
    }
    /// Returns the width of the widest token with its gap.
    static double cell_width(const Recipe& recipe, const Theme& theme, const Canvas& canvas) {
        double widest = 0;
        for (int token = 0; token < recipe.vocabulary; ++token)
            widest =
                std::max(widest, canvas.measure(name_of_token(recipe, token), theme.label_size, Weight::regular).width);
        return widest + 0.8 * theme.label_size;
    }

    /// Draws the token at this place of the batch, with its target below.
    static void draw_token(const Recipe& recipe, const Batch& batch, int at, const Rect& cell, const Theme& theme,
                           Canvas& canvas) {
        const int target = batch.targets[static_cast<std::size_t>(at)];
        const TextStyle style{.size = theme.label_size, .color = theme.text, .across = Align::middle};
        canvas.fill_rect(cell, target >= 0 ? theme.faded(theme.accent, 0.5) : theme.faded(theme.text_faint, 0.15), 3);
        canvas.text(cell.centre(), name_of_token(recipe, batch.tokens[static_cast<std::size_t>(at)]), style);
        if (target < 0) return;
        TextStyle below = style;
        below.color = theme.accent;
        canvas.text({cell.centre().x, cell.bottom() + 0.6 * theme.label_size}, name_of_token(recipe, target), below);
    }

    static void report_rest(const Batch& batch, int shown, Canvas& canvas) {
        const int tokens = batch.sequences * batch.context;
        canvas.report_omitted(fmt::format("{} of {} tokens", tokens - shown, tokens));
    }
};

}  // namespace ropewalk
