// The sequences that one step of training learns from.
#pragma once

#include "app/figures/training/run_message.h"
#include "core/training/batch.h"

namespace ropewalk {

struct BatchFigure : FigureDefaults {
    static constexpr auto id = "batch", title = "Training sequences";
    static constexpr auto summary =
        "The sequences of one training step. Below each coloured token is the token that the model should predict "
        "there.";
    static constexpr auto table_shape = "[2, batch, context]: tokens, then targets, −1 where nothing is scored";
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
        Frame frame;
        frame.outer = frame.plot = rect;
        const auto recipe = recipe_of(input.experiment());
        if (!recipe) {
            draw_message(run_message(input), rect, canvas, input.theme);
            return frame;
        }
        const Batch batch = batch_of(*recipe, step);
        const double size = input.theme.label_size, height = 3.4 * size;
        double widest = 0;
        for (int token = 0; token < recipe->vocabulary; ++token)
            widest = std::max(widest, canvas.measure(name_of_token(*recipe, token), size, Weight::regular).width);
        const double width = widest + 0.8 * size;
        const int rows = std::min(batch.sequences, std::max(1, static_cast<int>(rect.height / height))),
                  columns = std::min(batch.context, std::max(1, static_cast<int>(rect.width / width)));
        for (int row = 0; row < rows; ++row)
            for (int column = 0; column < columns; ++column) {
                const auto at = static_cast<std::size_t>(row) * batch.context + column;
                const Rect cell{rect.x + column * width, rect.y + row * height, width - 2, 1.6 * size};
                const bool is_scored = batch.targets[at] >= 0;
                canvas.fill_rect(
                    cell,
                    input.theme.faded(is_scored ? input.theme.accent : input.theme.text_faint, is_scored ? 0.5 : 0.15),
                    3);
                canvas.text(cell.centre(), name_of_token(*recipe, batch.tokens[at]),
                            {.size = size, .color = input.theme.text, .across = Align::middle});
                if (is_scored)
                    canvas.text({cell.centre().x, cell.bottom() + 0.7 * size},
                                name_of_token(*recipe, batch.targets[at]),
                                {.size = size, .color = input.theme.accent, .across = Align::middle});
            }
        if (rows < batch.sequences)
            canvas.report_omitted(fmt::format("{} of {} sequences", batch.sequences - rows, batch.sequences));
        if (columns < batch.context)
            canvas.report_omitted(fmt::format("{} of {} tokens", batch.context - columns, batch.context));
        return frame;
    }

    std::string readout(const FigureInput& input) const {
        const auto recipe = recipe_of(input.experiment());
        if (!recipe) return run_message(input);
        return fmt::format("step {}   {} sequences of {} tokens", step, recipe->batch, recipe->context);
    }

    DataTable table(const Results& results) const {
        const auto recipe = recipe_of(results.request.experiment);
        if (!recipe) throw InputError(no_run_message);
        const Batch batch = batch_of(*recipe, step);
        DataTable table{.shape = {2, batch.sequences, batch.context},
                        .columns = numbered_columns("token_", batch.context)};
        table.values.assign(batch.tokens.begin(), batch.tokens.end());
        table.values.insert(table.values.end(), batch.targets.begin(), batch.targets.end());
        return table;
    }

  private:
    static std::string name_of_token(const Recipe& recipe, int token) {
        return token_name(recipe.task, recipe.vocabulary, token);
    }
};

}  // namespace ropewalk
