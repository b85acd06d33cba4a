#include "core/training/training_run.h"

#include <algorithm>
#include <chrono>
#include <list>
#include <thread>
#include <utility>

#include "core/training/network/parameter_list.h"
#include "core/training/trained_model.h"
#include "core/training/training_cache.h"

namespace ropewalk {
namespace {

constexpr std::size_t most_snapshot_bytes = std::size_t{256} << 20;
constexpr std::chrono::milliseconds between_looks{5};  // at whether waiting is still worthwhile

std::size_t bytes_of_state(const TrainingState& state) {
    return 3 * state.parameters.size() * sizeof(float);
}

std::string& cache_folder() {
    static std::string folder;
    return folder;
}

}  // namespace

TrainingRun::TrainingRun(const Recipe& recipe, bool reads_cache) : recipe_(recipe) {
    if (auto kept = reads_cache ? read_training(cache_folder(), recipe) : std::nullopt) {
        record_ = std::move(*kept);
    } else {
        auto parameters = initial_parameters(network_shape(recipe), recipe.embedding_scale, recipe.seed);
        const std::vector<float> moments(parameters.size());
        keep_snapshot(
            {.step = 0, .parameters = std::move(parameters), .first_moments = moments, .second_moments = moments});
    }
    start_ = trained_model(recipe, record_.snapshots.begin()->second->parameters);
}

TrainingRun::~TrainingRun() = default;

int TrainingRun::steps_done() const {
    const std::lock_guard lock(publishing_);
    return record_.steps_done();
}

std::vector<BatchScore> TrainingRun::scores() const {
    const std::lock_guard lock(publishing_);
    return record_.scores;
}

TrainingRecord TrainingRun::record() const {
    const std::lock_guard lock(publishing_);
    return record_;
}

void TrainingRun::publish(BatchScore score) {
    const std::lock_guard lock(publishing_);
    record_.scores.push_back(score);
}

/// Keeps every `stride_`-th state, and the last. Once they take too much memory, every second is dropped.
void TrainingRun::keep_snapshot(TrainingState state) {
    if (state.step % stride_ != 0 && state.step != recipe_.steps) return;
    const std::size_t most = std::max<std::size_t>(2, most_snapshot_bytes / bytes_of_state(state));
    const std::lock_guard lock(publishing_);
    record_.snapshots[state.step] = std::make_shared<const TrainingState>(std::move(state));
    while (record_.snapshots.size() > most) {
        stride_ *= 2;
        std::erase_if(record_.snapshots,
                      [&](const auto& entry) { return entry.first % stride_ != 0 && entry.first != recipe_.steps; });
    }
}

void TrainingRun::advance(int steps, const Cancel& cancel, const Progress& progress) {
    const int first = steps_done();
    if (!trainer_ && first < recipe_.steps) trainer_ = std::make_unique<Trainer>(recipe_);
    while (trainer_ && trainer_->steps_done() < std::min(steps, recipe_.steps)) {
        const BatchScore score = trainer_->step(cancel);
        const int done = trainer_->steps_done();
        if (done % stride_ == 0 || done == recipe_.steps) keep_snapshot(trainer_->state());
        publish(score);
        if (progress) progress(static_cast<double>(done - first) / (steps - first));
    }
    if (!trainer_ || trainer_->steps_done() < recipe_.steps) return;
    trainer_.reset();
    write_training(cache_folder(), recipe_, record());
}

void TrainingRun::train_to(int steps, const Cancel& cancel, const Progress& progress) {
    steps = std::min(steps, recipe_.steps);
    std::unique_lock turn(training_, std::defer_lock);
    while (steps_done() < steps) {
        cancel.check();
        if (is_led_) {
            if (progress) progress(static_cast<double>(steps_done()) / steps);
            std::this_thread::sleep_for(between_looks);
        } else if (turn.owns_lock() || turn.try_lock_for(between_looks)) {
            advance(steps, cancel, progress);
        }
    }
}

void TrainingRun::lead_to(int steps, const Cancel& cancel) {
    std::unique_lock turn(training_, std::defer_lock);
    while (!turn.try_lock_for(between_looks)) cancel.check();
    advance(steps, cancel, {});
}

std::shared_ptr<const TrainingState> TrainingRun::state_after(int steps, const Cancel& cancel,
                                                              const Progress& progress) {
    steps = std::clamp(steps, 0, recipe_.steps);
    train_to(steps, cancel, progress);
    const auto from = [&] {
        const std::lock_guard lock(publishing_);
        return std::prev(record_.snapshots.upper_bound(steps))->second;
    }();
    if (from->step == steps) return from;
    const std::lock_guard lock(replaying_);
    return replayed_.get(steps, [&] {
        if (!replayer_) replayer_ = std::make_unique<Trainer>(recipe_);
        if (replayer_->steps_done() > steps || replayer_->steps_done() < from->step) replayer_->restore(*from);
        while (replayer_->steps_done() < steps) replayer_->step(cancel);
        return replayer_->state();
    });
}

std::shared_ptr<const Model> TrainingRun::model_after(int steps, const Cancel& cancel, const Progress& progress) {
    const auto state = state_after(steps, cancel, progress);
    if (state->step == 0) return start_;
    const std::lock_guard lock(replaying_);
    return models_.get(state->step, [&] { return *trained_model(recipe_, state->parameters); });
}

namespace {

/// The recent runs, the most recently used first, and those in use.
struct RunStore {
    std::mutex mutex;
    std::list<std::shared_ptr<TrainingRun>> runs;

    auto find(const Recipe& recipe) {
        return std::find_if(runs.begin(), runs.end(), [&](const auto& run) { return run->recipe() == recipe; });
    }
    std::shared_ptr<TrainingRun> keep(std::shared_ptr<TrainingRun> newest) {
        constexpr std::size_t most_runs = 4;
        runs.push_front(std::move(newest));
        std::size_t kept = 0;
        for (auto run = runs.begin(); run != runs.end();)
            run = ++kept > most_runs && run->use_count() == 1 ? runs.erase(run) : std::next(run);
        return runs.front();
    }
};

RunStore& run_store() {
    static RunStore store;
    return store;
}

}  // namespace

std::shared_ptr<TrainingRun> training_run_of(const Recipe& recipe) {
    RunStore& store = run_store();
    const std::lock_guard lock(store.mutex);
    const auto found = store.find(recipe);
    if (found == store.runs.end()) return store.keep(std::make_shared<TrainingRun>(recipe));
    store.runs.splice(store.runs.begin(), store.runs, found);
    return store.runs.front();
}

std::shared_ptr<TrainingRun> new_training_run_of(const Recipe& recipe) {
    RunStore& store = run_store();
    const std::lock_guard lock(store.mutex);
    if (const auto found = store.find(recipe); found != store.runs.end()) store.runs.erase(found);
    return store.keep(std::make_shared<TrainingRun>(recipe, false));
}

void keep_training_in(const std::string& folder) {
    cache_folder() = folder;
}

}  // namespace ropewalk
