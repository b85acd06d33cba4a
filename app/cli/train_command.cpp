#include <fmt/format.h>

#include <chrono>

#include "app/cli/commands.h"
#include "app/cli/output.h"
#include "core/constructions/construction.h"
#include "core/models/files/model_writer.h"
#include "core/numbers/hash.h"
#include "core/training/network/parameter_list.h"
#include "core/training/trained_model.h"
#include "core/training/training_run.h"

namespace ropewalk {
namespace {

constexpr std::chrono::milliseconds between_lines{500};

std::string score_text(const TrainingRun& run) {
    const auto scores = run.scores();
    if (scores.empty()) return "step 0";
    return fmt::format("step {} of {}   loss {:.4f}   accuracy {:.3f}", scores.size(), run.recipe().steps,
                       scores.back().loss, scores.back().accuracy);
}

std::string time_text(const TrainingRun& run) {
    const RunSummary summary = run.summary();
    if (!summary.seconds) return "trained before: the steps were read from a file";
    return fmt::format("computed {} steps in {:.1f} s", summary.steps_done, *summary.seconds);
}

/// Trains up to a step and reports about it on standard error.
void train(TrainingRun& run, int steps, const Cancel& cancel) {
    auto said_at = std::chrono::steady_clock::now();
    run.train_to(steps, cancel, [&](double) {
        const auto now = std::chrono::steady_clock::now();
        if (now - said_at < between_lines) return;
        said_at = now;
        say(score_text(run));
    });
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
    const Scene scene = open_with_warnings(arguments);
    const auto trained = trained_head_of(scene.experiment.construction);
    if (!trained)
        throw InputError(
            "the scene trains no model; choose one with --set construction=model_head --set "
            "construction.source=trained");
    const Recipe& recipe = trained->recipe;
    const int steps = arguments.steps.value_or(trained->step < 0 ? recipe.steps : trained->step);
    if (steps < 0 || steps > recipe.steps)
        throw InputError(fmt::format("--steps is {}; it must be from 0 to {}", steps, recipe.steps));
    const auto run = training_run_of(recipe);
    train(*run, steps, cancel);
    if (steps > 0) say(time_text(*run));
    const auto state = run->state_after(steps, cancel);
    if (arguments.output != "-") write_folder(arguments.output, recipe, *state, cancel);
    const auto bytes = std::span(state->parameters);
    const auto hash = hash_text({reinterpret_cast<const char*>(bytes.data()), bytes.size_bytes()});
    write_output("-", fmt::format("{}\nparameters {:016x}\n", steps == 0 ? "step 0" : score_text(*run), hash));
}

}  // namespace ropewalk
