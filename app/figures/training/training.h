// The loss and accuracy of a training run against its steps.
#pragma once

#include <functional>

#include "app/figures/parts/curves/curve_figure.h"
#include "app/figures/training/compared_runs.h"

namespace ropewalk {

struct TrainingFigure : CurveFigure<TrainingFigure> {
    static constexpr auto id = "training", title = "Training";
    static constexpr auto summary =
        "Loss and accuracy of each step's batch before its update. Drag the line to see the model after that step.";
    static constexpr auto table_shape = "[steps, 3]: step, loss, accuracy";
    static constexpr bool has_row_per_x = true;
    Depicted depicted() const { return Depicted::training; }
    static constexpr bool keeps_curves = true;
    std::string compared, pinned;

    bool operator==(const TrainingFigure&) const = default;

    static void fields(auto& s, auto&& f) {
        run_list_fields(s, f);
        zoom_fields(s, f);
    }

    bool draws_reference() const { return false; }
    std::optional<std::string> obstacle_to_pin(const Experiment& experiment) const {
        return obstacle_to_pin_run(experiment, pinned);
    }
    void pin(const Experiment& experiment) {
        pinned =
            with_pinned_run(pinned, construction_of({.recipe = *recipe_of(experiment)}, Experiment{}.construction));
    }
    void unpin(std::size_t which) { pinned = without_pin(pinned, which); }
    std::string pin_text(const FigureInput&, std::size_t which) const { return text_of_pinned_run(pinned, which); }
    Needs needs(const Experiment& experiment, PlotPixels) const { return needs_of_runs(experiment, runs(), question); }

    std::string ghost_name(const FigureInput& input) const { return run_name_before(input); }

    std::string readout(const FigureInput& input) const {
        return readout_at(input, shown_step(input, static_cast<int>(scores_in(input.results).size())));
    }
    /// Returns the readout of the run before the last change, at the same step; nullopt if there is none.
    std::optional<std::string> readout_before(const FigureInput& input) const {
        const auto done = static_cast<int>(scores_in(input.results).size());
        if (done == 0 || recipe_of(input.experiment()) == recipe_of(input.ghost->request.experiment))
            return std::nullopt;
        return readout_at(input.of_ghost(), shown_step(input, done));
    }

    std::vector<Handle> handles(const FigureInput& input) const {
        const auto recipe = recipe_of(input.experiment());
        if (!recipe) return {};
        const int step = shown_step(input, static_cast<int>(scores_in(input.results).size()));
        return {{.mark = {.at = static_cast<double>(step),
                          .label = fmt::format("step {}", step),
                          .color = input.theme.accent,
                          .grip = true},
                 .path = "construction.step",
                 .crosses_all = true}};
    }

    DataTable table(const Results& results) const {
        const std::vector<BatchScore> scores = scores_in(results);
        if (scores.empty()) throw InputError(recipe_of(results.request.experiment) ? not_finished : no_run_message);
        return table_of_columns({{"step", counted(scores.size())},
                                 {"loss", column_of(scores, &BatchScore::loss)},
                                 {"accuracy", column_of(scores, std::mem_fn(&BatchScore::valid_accuracy))}});
    }

    std::vector<CurvePlot> plots_of(const FigureInput& input) const {
        const Theme& theme = input.theme;
        const auto recipe = recipe_of(input.experiment());
        CurvePlot loss, accuracy;
        loss.x = accuracy.x = {
            .title = "step", .low = 0, .high = recipe ? static_cast<double>(recipe->steps) : 1, .whole = true};
        loss.y = {.title = "loss (nats)", .low = 1, .high = 0};
        accuracy.y = {.title = "accuracy", .low = 0, .high = 1.02};
        loss.cursor_x = accuracy.cursor_x = -1;
        auto own = std::make_shared<const std::vector<BatchScore>>(scores_in(input.results));
        if (recipe && own->empty() && input.ghost && !scores_in(*input.ghost).empty()) own = nullptr;
        if (!recipe || (own && own->empty())) {
            loss.message = accuracy.message = run_message(input);
            return {loss, accuracy};
        }
        draw_runs(
            input, runs(), own, " (training)", question,
            [&](const std::shared_ptr<const std::vector<BatchScore>>& found, const RunLook& look) {
                const std::vector<BatchScore> scores = found ? *found : std::vector<BatchScore>();
                const auto steps = counted(scores.size());
                add_run(loss, steps, column_of(scores, &BatchScore::loss), look, true);
                add_run(accuracy, steps, column_of(scores, std::mem_fn(&BatchScore::valid_accuracy)), look, false);
            },
            finished_scores);
        const double chance = chance_of(recipe->task, recipe->task_shape());
        accuracy.marks.push_back({.way = Mark::Way::across,
                                  .at = chance,
                                  .label = "chance",
                                  .color = theme.text_faint,
                                  .spares_curves = true});
        // The last step is marked only where the mark can be dragged.
        if (own && (input.has_handles || shown_step(input, static_cast<int>(own->size())) < recipe->steps))
            loss.marks = marks_of(handles(input));
        for (Mark mark : loss.marks) {
            mark.label.clear(), mark.grip = false, mark.dash = dash_to_drag;
            accuracy.marks.push_back(mark);
        }
        return {loss, accuracy};
    }

  private:
    static TrainingQuestion question(AskedRun run) { return {.run = std::move(run)}; }
    RunLists runs() const { return {compared, pinned}; }

    /// Returns the scores of the finished run, or of the steps that are done.
    static std::vector<BatchScore> scores_in(const Results& results) {
        if (const auto all = results.find(TrainingQuestion{})) return *all;
        const auto run = known_run(results.request.experiment);
        return run ? run->scores() : std::vector<BatchScore>();
    }

    /// Returns the scores of a run that is already finished, while no question asks for them; null otherwise.
    static std::shared_ptr<const std::vector<BatchScore>> finished_scores(const Experiment& experiment) {
        const auto run = finished_run(experiment);
        return run ? std::make_shared<const std::vector<BatchScore>>(run->scores()) : nullptr;
    }

    static std::string readout_at(const FigureInput& input, int step) {
        const auto recipe = recipe_of(input.experiment());
        const std::vector<BatchScore> scores = scores_in(input.results);
        if (!recipe || scores.empty()) return run_message(input);
        step = std::min(step, static_cast<int>(scores.size()));
        const BatchScore& at = scores[static_cast<std::size_t>(std::min(step, static_cast<int>(scores.size()) - 1))];
        if (!at.has_targets()) return fmt::format("step {}   no targets in its sequences", step);
        if (at.has_diverged()) return fmt::format("step {}   the training diverged", step);
        return fmt::format("step {}   loss {}   accuracy {}   chance {}", step, readable(at.loss, 3),
                           readable(at.accuracy, 3), readable(chance_of(recipe->task, recipe->task_shape()), 3));
    }

    /// Returns the step whose model is shown: as chosen, or the last that is done.
    static int shown_step(const FigureInput& input, int done) {
        const auto trained = trained_head_of(input.experiment().construction);
        return trained && trained->step >= 0 ? std::min(trained->step, done) : done;
    }
};

}  // namespace ropewalk
