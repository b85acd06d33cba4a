#include "core/analysis/training/training_answers.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <mutex>
#include <numeric>
#include <span>

#include "core/analysis/models/model_context.h"
#include "core/error.h"
#include "core/experiment/conform.h"
#include "core/experiment/settings.h"
#include "core/memo.h"
#include "core/numbers/numbers.h"
#include "core/training/batch.h"
#include "core/training/trained_model.h"
#include "core/training/training_run.h"

namespace ropewalk {
namespace {

/// Returns the experiment with its head at the end of the training.
Experiment at_the_end(Experiment experiment) {
    set_number(experiment, "construction.step", -1);
    return as_trained(std::move(experiment));
}

/// Returns at most `count` steps, evenly spaced from 0 to the last.
std::vector<int> evenly(int last, int count) {
    std::vector<int> steps;
    const int intervals = std::min(last, count - 1);
    for (int i = 0; i <= intervals; ++i)
        steps.push_back(static_cast<int>(std::int64_t{i} * last / std::max(1, intervals)));
    return steps;
}

constexpr int test_factors = 5;  // 1, 2, 4, 8 and 16

/// Returns the lengths that a model is tested at: those at which its encoding has positions, and of which a sequence
/// fits in memory.
std::vector<int> tested_lengths(const Recipe& recipe) {
    std::vector<int> lengths;
    for (int i = 0; i < test_factors; ++i) {
        const int length = recipe.context << i;
        if (check(recipe.encoding, recipe.shape(length)) || reading_bytes(recipe, length) > most_reading_bytes) break;
        lengths.push_back(length);
    }
    return lengths;
}

/// Returns how the model of a run is trained; nothing if none is, or if the settings are invalid, which the answer
/// explains.
std::optional<TrainedHead> trained_head_with(const Experiment& experiment, const AskedRun& asked) try {
    return trained_head_of(asked.experiment_of(experiment).construction);
} catch (const InputError&) {
    return std::nullopt;
}

/// Returns the work of reaching the model after `steps` steps, by training or by going back, in addition to that for
/// the experiment's own head.
double further_training(const Experiment& experiment, const TrainedHead& trained, int steps) {
    const auto own = trained_head_of(experiment.construction);
    const double all = training_work(trained.recipe, steps);
    if (!own || own->recipe != trained.recipe) return all;
    if (own->shown_step() == steps) return 0;
    const bool both_train = std::min(own->shown_step(), steps) > training_run_of(own->recipe)->steps_done();
    if (!both_train) return all;
    return steps > own->shown_step() ? all - training_work(own->recipe, own->shown_step())
                                     : replay_work(own->recipe, std::array{steps});
}

/// Returns the score of a batch for a model with interventions.
BatchScore score_of(const std::shared_ptr<const Model>& model, const Batch& batch,
                    const std::vector<Intervention>& interventions, const Cancel& cancel) {
    constexpr int rows_at_once = 1024;
    const auto length = static_cast<std::size_t>(batch.context),
               vocabulary = static_cast<std::size_t>(model->config.vocabulary);
    double loss = 0;
    int scored = 0, correct = 0;
    const auto take = [&](std::span<const float> logits, int target) {
        const auto largest = std::max_element(logits.begin(), logits.end());
        double sum = 0;
        for (const float logit : logits) sum += std::exp(static_cast<double>(logit) - *largest);
        loss += std::log(sum) + *largest - logits[static_cast<std::size_t>(target)];
        correct += largest - logits.begin() == target, ++scored;
    };
    for (std::size_t first = 0; first < batch.tokens.size(); first += length) {
        const auto tokens = std::span(batch.tokens).subspan(first, length);
        ModelRun run(model, {.tokens = {tokens.begin(), tokens.end()}, .encoding = {}, .interventions = interventions});
        for (int begin = 0; begin < batch.context; begin += rows_at_once) {
            std::vector<int> rows;
            for (int row = begin; row < std::min(begin + rows_at_once, batch.context); ++row)
                if (batch.targets[first + static_cast<std::size_t>(row)] != no_target) rows.push_back(row);
            if (rows.empty()) continue;
            const LargeVector<float> logits = run.next_token_logits(rows, cancel);
            for (std::size_t i = 0; i < rows.size(); ++i)
                take(std::span(logits).subspan(i * vocabulary, vocabulary),
                     batch.targets[first + static_cast<std::size_t>(rows[i])]);
        }
    }
    if (scored == 0) return {nan, nan};
    return {loss / scored, static_cast<double>(correct) / scored};
}

/// Returns the share of each pair in the selected head's norms after a step. Keeps the latest, because a figure that
/// follows a run asks for its rows again with every new one.
std::shared_ptr<const std::vector<double>> shares_after(int step, TrainingRun& run, const RunRequest& request,
                                                        const AnalysisContext& context) {
    static std::mutex mutex;
    static Memo<Experiment, std::vector<double>> kept(128);
    Experiment at_step = at_the_end(context.experiment);
    set_number(at_step, "construction.step", step);
    {
        const std::lock_guard lock(mutex);
        if (kept.remembers(at_step)) return kept.get(at_step, [] { return std::vector<double>(); });
    }
    // Not under the lock: another answer must not wait for this one's training steps.
    const LearnedHead learned = *learned_head_of(context.experiment.construction);
    ModelRun model_run(run.model_after(step, context.cancel), request);
    std::vector<double> shares = pair_usage(model_run.model()->config, *model_run.layer(learned.layer, context.cancel),
                                            learned.layer, learned.head);
    const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
    for (double& share : shares) share = sum > 0 ? share / sum : 0;
    const std::lock_guard lock(mutex);
    return kept.get(at_step, [&] { return std::move(shares); });
}

}  // namespace

Experiment AskedRun::experiment_of(const Experiment& current) const {
    return changed(is_pinned ? Experiment{} : current, settings);
}

std::optional<Recipe> recipe_of(const Experiment& experiment) {
    const auto trained = trained_head_of(experiment.construction);
    return trained ? std::optional(trained->recipe) : std::nullopt;
}

double further_model_work(const Experiment& experiment, const Experiment& other) {
    const auto trained = trained_head_of(other.construction);
    const double training = trained ? further_training(experiment, *trained, trained->shown_step()) : 0;
    const bool is_same_run = other.construction == experiment.construction && other.seq_len == experiment.seq_len &&
                             ignores_encoding(other.construction);
    return is_same_run ? training : training + run_work_of_layer(other);
}

Dependence on_recipe(const HeadAtCursor& head) {
    return {.experiment = recipe_of(head.experiment) ? at_head(at_the_end(head.experiment), 0, 0) : head.experiment};
}

double TrainingQuestion::model_work(const Experiment& experiment) const {
    const auto trained = trained_head_with(experiment, run);
    return trained ? further_training(experiment, *trained, trained->recipe.steps) : 0;
}

std::vector<BatchScore> TrainingQuestion::answer(const AnalysisContext& context) const {
    const auto recipe = recipe_of(run.experiment_of(context.experiment));
    if (!recipe) return {};
    const auto trained = training_run_of(*recipe);
    trained->train_to(recipe->steps, context.cancel, context.progress);
    return trained->scores();
}

Dependence LengthTestQuestion::dependence(const HeadAtCursor& head) const {
    if (run.is_pinned) return {};
    return {.experiment = recipe_of(head.experiment) ? at_head(head.experiment, 0, 0) : head.experiment};
}

double LengthTestQuestion::model_work(const Experiment& experiment) const {
    const auto trained = trained_head_with(experiment, run);
    if (!trained) return 0;
    double work = further_training(experiment, *trained, trained->shown_step());
    for (const int length : tested_lengths(trained->recipe))
        work += sequences * run_work(*model_without_weights(trained->recipe), length);
    return work;
}

LengthTestQuestion::Answer LengthTestQuestion::answer(const AnalysisContext& context) const {
    const Construction construction = run.experiment_of(context.experiment).construction;
    const auto trained = trained_head_of(construction);
    if (!trained) return {};
    const Recipe& recipe = trained->recipe;
    const auto training = training_run_of(recipe);
    const auto state = training->state_after(trained->shown_step(), context.cancel, context.progress);
    const std::vector<Intervention> interventions = interventions_of(construction);
    const auto model = interventions.empty() ? nullptr : training->model_after(state->step, context.cancel);
    const auto is_impossible = [&](const Intervention& intervention, int length) {
        return check_intervention(intervention, model->config, length).has_value();
    };
    Answer points;
    for (const int length : tested_lengths(recipe)) {
        if (std::ranges::any_of(interventions, [&](const auto& each) { return is_impossible(each, length); })) break;
        const Batch batch = test_batch(recipe, length, sequences);
        points.push_back({length, model ? score_of(model, batch, interventions, context.cancel)
                                        : evaluate(recipe, state->parameters, batch, 0, context.cancel)});
        if (context.progress) context.progress(static_cast<double>(points.size()) / test_factors);
    }
    return points;
}

Dependence UsageOverTrainingQuestion::dependence(const HeadAtCursor& head) {
    return {.experiment = recipe_of(head.experiment) ? at_the_end(head.experiment) : head.experiment};
}

UsageOverTrainingQuestion UsageOverTrainingQuestion::so_far(int steps_done, int of_steps) {
    UsageOverTrainingQuestion question;
    for (const int step : evenly(of_steps, question.snapshots))
        if (step <= steps_done) question.done = step;
    return question;
}

double UsageOverTrainingQuestion::model_work(const Experiment& experiment) const {
    const auto trained = trained_head_of(experiment.construction);
    if (!trained) return 0;
    const Recipe& recipe = trained->recipe;
    double training = 0;
    if (done < 0)
        training =
            further_training(experiment, *trained, recipe.steps) + replay_work(recipe, evenly(recipe.steps, snapshots));
    return training + snapshots * run_work_of_layer(experiment);
}

UsageOverTrainingQuestion::Answer UsageOverTrainingQuestion::answer(const AnalysisContext& context) const {
    const auto recipe = recipe_of(context.experiment);
    if (!recipe) return {};
    const auto run = training_run_of(*recipe);
    if (done < 0) run->train_to(recipe->steps, context.cancel, context.progress);
    const RunRequest request{.tokens = run_of(context)->request().tokens};
    Answer usage{.steps = evenly(recipe->steps, snapshots), .pairs = recipe->head_dim / 2, .shares = {}};
    for (int& step : usage.steps) {
        if (done >= 0 && step > done) break;
        if (done >= 0) step = run->snapshot_before(step);  // training again from there would hold up the run
        const auto shares = shares_after(step, *run, request, context);
        usage.shares.insert(usage.shares.end(), shares->begin(), shares->end());
        ++usage.rows_done;
    }
    usage.shares.resize(usage.steps.size() * static_cast<std::size_t>(usage.pairs), nan);
    return usage;
}

}  // namespace ropewalk
