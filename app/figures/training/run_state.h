// How far a figure's training run is, and the message while there is nothing to show.
#pragma once

#include <memory>

#include "app/figures/figure.h"
#include "core/analysis/training/training_answers.h"
#include "core/error.h"
#include "core/training/training_run.h"

namespace ropewalk {

inline constexpr auto no_run_message =
    "Nothing is trained here: choose the construction “Head of a model”, and “Trained here” as its source.";

inline constexpr auto not_finished = "The training is not finished. Continue it, then export this figure's data";

/// Returns the message of a figure that shows nothing yet: there is no recipe, or its run is not that far.
inline const char* run_message(const FigureInput& input) {
    return recipe_of(input.experiment()) ? still_computing : no_run_message;
}

/// Returns the answer about a finished run. Throws InputError if there is none, because the run is not finished.
template <class Answer>
const Answer& of_finished_run(const std::shared_ptr<const Answer>& answer) {
    if (!answer) throw InputError(not_finished);
    return *answer;
}

/// Returns the experiment's training run; null if nothing is trained, or the run was never requested or was
/// forgotten.
inline std::shared_ptr<const TrainingRun> known_run(const Experiment& experiment) {
    const auto recipe = recipe_of(experiment);
    return recipe ? find_training_run(*recipe) : nullptr;
}

/// Returns whether the run is being trained while it is shown, or was left. Figures then ask for nothing that waits for
/// its end, because other answers would wait behind it.
inline bool is_under_way(const Experiment& experiment) {
    const auto run = known_run(experiment);
    return run && run->is_under_way();
}

/// Returns whether the run is being trained and is not paused.
inline bool is_advancing(const Experiment& experiment) {
    const auto run = known_run(experiment);
    return run && run->is_advancing();
}

/// Returns the run if all its steps are done, else null.
inline std::shared_ptr<const TrainingRun> finished_run(const Experiment& experiment) {
    auto run = known_run(experiment);
    return run && run->steps_done() == run->recipe().steps ? run : nullptr;
}

/// Returns whether the step that the experiment shows is done, so that nothing has to wait for it.
inline bool is_step_done(const Experiment& experiment) {
    const auto trained = trained_head_of(experiment.construction);
    const auto run = trained ? find_training_run(trained->recipe) : nullptr;
    return run && trained->step >= 0 && trained->step <= run->steps_done();
}

}  // namespace ropewalk
