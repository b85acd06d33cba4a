// core/analysis/training: what can be asked about a training run: its scores, its tests, and how its heads came to use
// the frequencies.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/analysis/analysis_context.h"
#include "core/training/trainer.h"

namespace ropewalk {

/// Returns what an answer about a run depends on: its recipe alone.
Dependence on_recipe(const HeadAtCursor& head);

/// Returns the recipe of an experiment whose head is trained here; nothing for any other.
std::optional<Recipe> recipe_of(const Experiment& experiment);

/// Returns the work in multiply-adds of training and running the model of another head, beside what the experiment's
/// own head takes.
double further_model_work(const Experiment& experiment, const Experiment& other);

/// The run that a question is about: that of the experiment with `settings` applied, as after `--set`, or if it is
/// pinned, of the default experiment with them.
struct AskedRun {
    std::string settings{};
    bool is_pinned = false;

    bool operator==(const AskedRun&) const = default;

    /// Returns the experiment of the run. Throws InputError if the settings are invalid.
    Experiment experiment_of(const Experiment& current) const;
};

/// Asks for the score of every step's batch before its update, [steps]. Empty without a recipe.
struct TrainingQuestion : QuestionDefaults {
    using Answer = std::vector<BatchScore>;
    static constexpr auto stage = "training";
    static constexpr bool reads_inputs = false;
    AskedRun run{};

    bool operator==(const TrainingQuestion&) const = default;

    Dependence dependence(const HeadAtCursor& head) const { return run.is_pinned ? Dependence{} : on_recipe(head); }
    bool is_job(const Problem&) const { return true; }
    double model_work(const Experiment& experiment) const;
    Answer answer(const AnalysisContext& context) const;
};

/// Asks for the score of held-out sequences at 1, 2, 4, 8 and 16 times the training length, after the run's shown step.
/// Its interventions apply. Lengths at which a sequence would take more than 2 GiB are left out.
struct LengthTestQuestion : QuestionDefaults {
    struct Point {
        int length = 0;  // tokens
        BatchScore score;
    };
    using Answer = std::vector<Point>;
    static constexpr auto stage = "length test";
    AskedRun run{};
    int sequences = 16;

    bool operator==(const LengthTestQuestion&) const = default;

    Dependence dependence(const HeadAtCursor& head) const;
    bool is_job(const Problem&) const { return true; }
    double model_work(const Experiment& experiment) const;
    Answer answer(const AnalysisContext& context) const;
};

/// Asks for the share of each pair in ‖q_t‖‖k_t‖ of the selected head over training, [steps, head_dim / 2], over
/// the sequence that the experiment shows.
struct UsageOverTrainingQuestion : QuestionDefaults {
    struct Answer {
        std::vector<int> steps;
        int pairs = 0;
        std::vector<double> shares;  // each row adds up to 1; NaN after steps that are not done
        std::size_t rows_done = 0;
    };
    static constexpr auto stage = "usage over training";
    int snapshots = 64;  // at most, evenly spaced from the first step to the last
    int done = -1;       // steps of a run under way, of which no more are asked for; −1: the whole run

    bool operator==(const UsageOverTrainingQuestion&) const = default;

    /// Returns the question about a run under way, which changes only when another row can be given.
    static UsageOverTrainingQuestion so_far(int steps_done, int of_steps);

    static Dependence dependence(const HeadAtCursor& head);
    bool is_job(const Problem&) const { return done < 0; }
    double model_work(const Experiment& experiment) const;
    Answer answer(const AnalysisContext& context) const;
};

}  // namespace ropewalk
