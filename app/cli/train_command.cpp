#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <functional>

#include "app/cli/commands.h"
#include "app/cli/output.h"
#include "core/constructions/construction.h"
#include "core/evaluation/affordable.h"
#include "core/models/files/model_writer.h"
#include "core/models/not_finite.h"
#include "core/numbers/hash.h"
#include "core/training/network/parameter_list.h"
#include "core/training/trained_model.h"
#include "core/training/training_run.h"

namespace ropewalk {
namespace {

constexpr std::chrono::milliseconds between_lines{500};

/// Returns the progress after some steps of a recipe; `last` is the score of the last step.
std::string score_text(const Recipe& recipe, int steps, const BatchScore& last) {
    const std::string step = fmt::format("step {} of {}   ", steps, recipe.steps);
    if (!last.has_targets()) return step + "no targets in its sequences";
    return step + fmt::format("loss {:.4f}   accuracy {:.3f}", last.loss, last.accuracy);
}

std::string time_text(const TrainingRun& run) {
    const RunSummary summary = run.summary();
    if (!summary.seconds) return "trained before: the steps were read from a file";
    return fmt::format("computed {} {} in {:.1f} s", summary.steps_done, summary.steps_done == 1 ? "step" : "steps",
                       *summary.seconds);
}

[[noreturn]] void reject_diverged(const std::string& what) {
    throw InputError(
        fmt::format("the training diverged: {}; choose a smaller construction.recipe.learning_rate", what));
}

/// Throws InputError if the loss of one of the first `steps` steps is not finite.
void require_finite(const TrainingRun& run, int steps) {
    const auto scores = run.scores();
    const auto first = std::find_if(scores.begin(), scores.begin() + steps, std::mem_fn(&BatchScore::has_diverged));
    if (first != scores.begin() + steps)
        reject_diverged(fmt::format("the loss of step {} is not finite", first - scores.begin()));
}

/// Trains up to a step and reports about it on standard error.
void train(TrainingRun& run, int steps, const Cancel& cancel) {
    auto said_at = std::chrono::steady_clock::now();
    run.train_to(steps, cancel, [&](double) {
        const RunSummary summary = run.summary();
        if (summary.last.has_diverged()) require_finite(run, summary.steps_done);
        const auto now = std::chrono::steady_clock::now();
        if (now - said_at < between_lines) return;
        said_at = now;
        say(score_text(run.recipe(), summary.steps_done, summary.last));
    });
    require_finite(run, steps);  // the steps may have been read from a file
}

/// Throws, before the training, if the model of the recipe cannot be written.
void require_writable_folder(const std::string& folder, const Recipe& recipe) {
    if (folder.empty()) throw UsageError("-o names no folder; name one or omit -o");
    require_writable_model(folder, model_without_weights(recipe)->config);
}

void write_folder(const std::string& folder, const Recipe& recipe, const TrainingState& state, const Cancel& cancel) {
    const auto model = trained_model(recipe, state.parameters);
    std::vector<WrittenTensor> tensors;
    for (const ParameterTensor& tensor : parameter_list(network_shape(recipe)))
        tensors.push_back({tensor.name, tensor.shape, tensor.offset});
    write_model(folder, model->config, state.parameters, std::move(tensors), cancel);
}

}  // namespace

void train_model(const Arguments& arguments, const Cancel& cancel) {
    const Scene scene = open_with_warnings(arguments).scene;
    const auto trained = trained_head_of(scene.experiment.construction);
    if (!trained)
        throw InputError(
            "the scene trains no model; choose one with --set construction=model_head --set "
            "construction.source=trained");
    const Recipe& recipe = trained->recipe;
    const int steps = arguments.steps.value_or(trained->shown_step());
    if (steps < 0 || steps > recipe.steps)
        throw InputError(fmt::format("--steps is {}; it must be from 0 to {}", steps, recipe.steps));
    const bool is_written = arguments.output != "-";
    if (is_written) require_writable_folder(arguments.output, recipe);
    if (const auto time = long_time_of(training_work(recipe, steps)))
        say(fmt::format("this training takes about {} on two cores", *time));
    const auto run = training_run_of(recipe);
    train(*run, steps, cancel);
    const auto state = run->state_after(steps, cancel);
    if (!all_finite(state->parameters))
        reject_diverged(fmt::format("the weights after step {} are not finite", steps - 1));
    if (steps > 0) say(time_text(*run));
    if (is_written) write_folder(arguments.output, recipe, *state, cancel);
    const auto bytes = std::span(state->parameters);
    const auto hash = hash_text({reinterpret_cast<const char*>(bytes.data()), bytes.size_bytes()});
    const std::string score =
        steps == 0 ? "step 0" : score_text(recipe, steps, run->scores()[static_cast<std::size_t>(steps - 1)]);
    write_output("-", fmt::format("{}\nparameters {:016x}\n", score, hash));
}

}  // namespace ropewalk
