// How a trained model does on sequences longer than those it was trained on.
#pragma once

#include "app/figures/parts/curves/curve_figure.h"
#include "app/figures/training/compared_runs.h"

namespace ropewalk {

struct LengthTestFigure : CurveFigure<LengthTestFigure> {
    static constexpr auto id = "length_test", title = "Length test";
    static constexpr auto summary =
        "Accuracy and loss on held-out sequences of 1, 2, 4, 8 and 16 times the training length. Interventions apply "
        "here, too.";
    static constexpr auto source = "Barbero et al. 2024, arXiv:2410.06205, section 6";
    static constexpr auto table_shape = "[lengths, 3]: length, loss, accuracy";
    static constexpr bool has_row_per_x = true;
    Depicted depicted() const { return Depicted::model; }
    static constexpr bool keeps_curves = true;
    std::string compared, pinned;
    int sequences = LengthTestQuestion{}.sequences;

    bool operator==(const LengthTestFigure&) const = default;

    static void fields(auto& s, auto&& f) {
        run_list_fields(s, f);
        f(Field{.name = "sequences",
                .label = "Sequences",
                .min = 1,
                .max = 256,
                .logarithmic = true,
                .help = "Held-out sequences per length."},
          s.sequences);
        zoom_fields(s, f);
    }

    bool draws_reference() const { return false; }
    std::optional<std::string> obstacle_to_pin(const Experiment& experiment) const {
        return obstacle_to_pin_run(experiment, pinned);
    }
    /// Pins the run as it is shown: after its step, with its interventions.
    void pin(const Experiment& experiment) { pinned = with_pinned_run(pinned, experiment.construction); }
    void unpin(std::size_t which) { pinned = without_pin(pinned, which); }
    std::string pin_text(const FigureInput&, std::size_t which) const { return text_of_pinned_run(pinned, which); }
    LengthTestQuestion question(AskedRun run = {}) const { return {.run = std::move(run), .sequences = sequences}; }
    Needs needs(const Experiment& experiment, PlotPixels) const {
        Needs needs = needs_of_runs(experiment, runs(), [&](AskedRun run) { return question(std::move(run)); });
        // A run that is paused or was left is tested at its last step. While it advances, the test would start again
        // with every step.
        if (is_under_way(experiment) && (!is_advancing(experiment) || is_step_done(experiment)))
            needs.push_back(question());
        return needs;
    }
    std::string ghost_name(const FigureInput& input) const { return run_name_before(input); }

    std::string readout(const FigureInput& input) const {
        const auto found = input.results.find(question());
        if (!found || found->empty()) return waits_for_training(input) ? training_now : run_message(input);
        std::string text;
        for (std::size_t i = 0; i < found->size(); i += 2)  // every second, so that the last has room
            text += fmt::format("{}at {} = {}", i == 0 ? "accuracy " : "   ", readable((*found)[i].length),
                                readable(accuracy_at((*found)[i]), 3));
        return text;
    }

    DataTable table(const Results& results) const {
        const auto found = results.find(question());
        const LengthTestQuestion::Answer& points = of_finished_run(found);
        if (points.empty()) throw InputError(no_run_message);
        return table_of_columns({{"length", column_of(points, &LengthTestQuestion::Point::length)},
                                 {"loss", column_of(points, loss_at)},
                                 {"accuracy", column_of(points, accuracy_at)}});
    }

    std::vector<CurvePlot> plots_of(const FigureInput& input) const {
        const Theme& theme = input.theme;
        const auto recipe = recipe_of(input.experiment());
        const double context = recipe ? recipe->context : 1;
        CurvePlot accuracy, loss;
        accuracy.x = loss.x = {.title = "length (tokens)",
                               .brief = "length",
                               .low = context / 1.1,
                               .high = context * 17,
                               .scale = AxisScale::logarithmic};
        accuracy.y = {.title = "accuracy", .low = 0, .high = 1.02};
        loss.y = {.title = "loss (nats)", .low = 1, .high = 0};
        accuracy.cursor_x = loss.cursor_x = -1;
        const auto own = input.results.find(question());
        const auto before = input.ghost ? input.ghost->find(question()) : nullptr;
        const std::vector<RunBeside> beside = runs().all();
        const bool has_pinned = std::any_of(beside.begin(), beside.end(), [&](const RunBeside& run) {
            return run.pin >= 0 && input.results.find(question(run.asked));
        });
        if (!recipe || (own && own->empty()) || (!own && !before && !has_pinned)) {
            accuracy.message = loss.message = run_message(input);
            if (recipe && waits_for_training(input)) accuracy.message = while_training, loss.message = training_now;
            return {accuracy, loss};
        }
        draw_runs(
            input, runs(), own, waits_for_training(input) ? " (training)" : " (computing)",
            [&](AskedRun run) { return question(std::move(run)); },
            [&](const std::shared_ptr<const LengthTestQuestion::Answer>& found, const RunLook& look) {
                const LengthTestQuestion::Answer points = found ? *found : LengthTestQuestion::Answer();
                const auto lengths = column_of(points, &LengthTestQuestion::Point::length);
                add_run(accuracy, lengths, column_of(points, accuracy_at), look, true);
                add_run(loss, lengths, column_of(points, loss_at), look, false);
                accuracy.series.back().has_markers = loss.series.back().has_markers = true;
            },
            [](const Experiment&) { return std::shared_ptr<const LengthTestQuestion::Answer>(); });
        if (own) show_differences(loss, input);
        accuracy.marks.push_back({.way = Mark::Way::across,
                                  .at = chance_of(recipe->task, recipe->task_shape()),
                                  .label = "chance",
                                  .color = theme.text_faint,
                                  .spares_curves = true});
        accuracy.marks.push_back({.at = context, .label = "trained", .color = theme.text_faint});
        return {accuracy, loss};
    }

  private:
    RunLists runs() const { return {compared, pinned}; }

    static constexpr auto training_now = "training …";
    static constexpr auto while_training =
        "The model is tested when its training ends. Press T to pause it and test the current step.";

    /// Returns whether nothing was asked about the run because it is being trained.
    bool waits_for_training(const FigureInput& input) const {
        const Needs& asked = input.results.request.needs;
        return is_advancing(input.experiment()) &&
               std::find(asked.begin(), asked.end(), Question(question())) == asked.end();
    }
    /// Lets the axis leave out 0 where all values are far from it: then what matters is how they differ.
    static void show_differences(CurvePlot& plot, const FigureInput& input) {
        ValueRange all{infinity, -infinity};
        for (const Series& series : plot.series)
            for (const Point& at : series.points) all = {std::min(all.min, at.y), std::max(all.max, at.y)};
        all = input.reached(plot.y.title, all);
        const double room = 0.06 * (all.max - all.min);
        if (all.min > all.max / 2) plot.y.low = all.min - room, plot.y.high = all.max + room;
    }
    static double loss_at(const LengthTestQuestion::Point& point) { return point.score.loss; }
    static double accuracy_at(const LengthTestQuestion::Point& point) { return point.score.valid_accuracy(); }
};

}  // namespace ropewalk
