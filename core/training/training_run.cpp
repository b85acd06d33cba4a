#include "core/training/training_run.h"

#include <algorithm>
#include <chrono>
#include <deque>
#include <list>
#include <thread>
#include <utility>

#include "core/training/network/parameter_list.h"
#include "core/training/trained_model.h"
#include "core/training/training_cache.h"

namespace ropewalk {
namespace {

constexpr std::size_t most_snapshot_bytes = std::size_t{256} << 20;  // of one run
constexpr std::size_t most_recent_bytes = std::size_t{1} << 30;
constexpr std::size_t most_unfinished_bytes = std::size_t{256} << 20;
constexpr std::chrono::milliseconds between_looks{5};  // at whether waiting is still worthwhile

std::size_t bytes_of_state(const TrainingState& state) {
    return 3 * state.parameters.size() * sizeof(float);
}

std::size_t most_snapshots(const TrainingState& state) {
    return std::max<std::size_t>(2, most_snapshot_bytes / bytes_of_state(state));
}

std::string& cache_folder() {
    static std::string folder;
    return folder;
}

/// The runs that are kept, the most recently used first.
struct RunStore {
    static constexpr std::size_t most_recent = 4;

    std::mutex mutex;
    std::list<std::shared_ptr<TrainingRun>> runs;
    std::list<std::shared_ptr<TrainingRun>> forgotten;  // until somebody has time to free them
    std::deque<RunSummary> listed;

    auto find(const Recipe& recipe) {
        return std::find_if(runs.begin(), runs.end(), [&](const auto& run) { return run->recipe() == recipe; });
    }
    std::shared_ptr<TrainingRun> keep(std::shared_ptr<TrainingRun> newest) {
        runs.push_front(std::move(newest));
        std::size_t recent = 0, recent_bytes = 0, unfinished_bytes = 0;
        for (auto next = runs.begin(); next != runs.end();) {
            const auto run = next++;
            const std::size_t own_bytes = (*run)->is_worth_keeping() ? (*run)->condensed_bytes() : 0;
            unfinished_bytes += own_bytes;
            recent_bytes += (*run)->snapshot_bytes();
            const bool is_recent = ++recent == 1 || (recent <= most_recent && recent_bytes <= most_recent_bytes);
            if (is_recent || run->use_count() > 1) continue;
            const bool is_latest_unfinished = unfinished_bytes == own_bytes;
            if (own_bytes > 0 && (is_latest_unfinished || unfinished_bytes <= most_unfinished_bytes)) continue;
            update((*run)->summary());
            forgotten.splice(forgotten.end(), runs, run);
        }
        return runs.front();
    }

    auto find_listed(const Recipe& recipe) {
        return std::find_if(listed.begin(), listed.end(), [&](const auto& known) { return known.recipe == recipe; });
    }
    /// Replaces what is known of a listed run.
    void update(RunSummary now) {
        const auto known = find_listed(now.recipe);
        if (known == listed.end()) return;
        if (!now.seconds) now.seconds = known->seconds;  // trained in this session, and then read from a file
        *known = std::move(now);
    }
    void list(RunSummary now) {
        constexpr std::size_t most_listed = 500;
        if (find_listed(now.recipe) != listed.end()) return update(std::move(now));
        listed.push_back(std::move(now));
        if (listed.size() > most_listed) listed.pop_front();
    }
};

RunStore& run_store() {
    static RunStore store;
    return store;
}

/// Frees the runs that were forgotten, and what unfinished ones do not need until they continue: large ones take longer
/// than a frame of the window.
void free_memory_of_runs() {
    std::list<std::shared_ptr<TrainingRun>> forgotten, unfinished;
    {
        RunStore& store = run_store();
        const std::lock_guard lock(store.mutex);
        forgotten.swap(store.forgotten);
        std::size_t recent = 0;
        for (const auto& run : store.runs)
            if (++recent > RunStore::most_recent && run.use_count() == 1) unfinished.push_back(run);
    }
    try {
        for (const auto& run : unfinished) run->condense();
    } catch (const std::bad_alloc&) {  // they stay as they are
    }
}

/// Waits for a lock as long as that is worthwhile. Throws Cancelled.
std::unique_lock<std::timed_mutex> turn_at(std::timed_mutex& mutex, const Cancel& cancel) {
    std::unique_lock turn(mutex, std::defer_lock);
    while (!turn.try_lock_for(between_looks)) cancel.check();
    return turn;
}

}  // namespace

TrainingRun::TrainingRun(const Recipe& recipe, bool reads_cache) : recipe_(recipe), reads_cache_(reads_cache) {}

TrainingRun::~TrainingRun() = default;

void TrainingRun::open() {
    if (is_open_) return;
    const std::lock_guard lock(opening_);
    if (is_open_) return;
    free_memory_of_runs();
    if (auto kept = reads_cache_ ? read_training(cache_folder(), recipe_) : std::nullopt) {
        {
            const std::lock_guard publishing(publishing_);
            record_ = std::move(*kept), seconds_.reset();
        }
        list_training_run(*this);
    } else {
        auto parameters = initial_parameters(network_shape(recipe_), recipe_.embedding_scale, recipe_.seed);
        const std::vector<float> moments(parameters.size());
        keep_snapshot(
            {.step = 0, .parameters = std::move(parameters), .first_moments = moments, .second_moments = moments});
        const std::lock_guard publishing(publishing_);
        seconds_ = 0;
        record_.scores.reserve(static_cast<std::size_t>(recipe_.steps));
    }
    is_open_ = true;
}

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

RunSummary TrainingRun::summary() const {
    const std::lock_guard lock(publishing_);
    return {.recipe = recipe_,
            .steps_done = record_.steps_done(),
            .last = record_.scores.empty() ? BatchScore{} : record_.scores.back(),
            .seconds = seconds_};
}

void TrainingRun::publish(BatchScore score, double seconds) {
    const std::lock_guard lock(publishing_);
    record_.scores.push_back(score);
    if (seconds_) *seconds_ += seconds;
}

/// Keeps every `stride_`-th state, and the last. Once they take too much memory, every second is dropped.
void TrainingRun::keep_snapshot(TrainingState state) {
    if (state.step % stride_ != 0 && state.step != recipe_.steps) return;
    const std::size_t most = most_snapshots(state);
    const std::lock_guard lock(publishing_);
    record_.snapshots[state.step] = std::make_shared<const TrainingState>(std::move(state));
    while (record_.snapshots.size() > most) {
        stride_ *= 2;
        std::erase_if(record_.snapshots,
                      [&](const auto& entry) { return entry.first % stride_ != 0 && entry.first != recipe_.steps; });
    }
}

std::unique_ptr<Trainer> TrainingRun::continued(const Cancel& cancel) const {
    auto trainer = std::make_unique<Trainer>(recipe_);
    const auto [last, done] = [&] {
        const std::lock_guard lock(publishing_);
        return std::pair(record_.snapshots.rbegin()->second, record_.steps_done());
    }();
    if (last->step > 0) trainer->restore(*last);
    while (trainer->steps_done() < done) trainer->step(cancel);
    return trainer;
}

void TrainingRun::advance(int steps, const Cancel& cancel, const Progress& progress) {
    using Clock = std::chrono::steady_clock;
    const int first = steps_done();
    if (!trainer_ && first < recipe_.steps) trainer_ = continued(cancel);
    while (trainer_ && trainer_->steps_done() < std::min(steps, recipe_.steps)) {
        int done = 0;
        try {
            const auto begun = Clock::now();
            const BatchScore score = trainer_->step(cancel);
            const double seconds = std::chrono::duration<double>(Clock::now() - begun).count();
            done = trainer_->steps_done();
            if (done % stride_ == 0 || done == recipe_.steps) keep_snapshot(trainer_->state());
            publish(score, seconds);
        } catch (const Cancelled&) {  // before anything has changed
            throw;
        } catch (...) {  // too little memory: the step, which may be half done, is done again from a snapshot
            trainer_.reset();
            throw;
        }
        if (progress) progress(static_cast<double>(done - first) / (steps - first));
    }
    if (!trainer_ || trainer_->steps_done() < recipe_.steps) return;
    trainer_.reset();
    list_training_run(*this);
    write_training(cache_folder(), recipe_, record());
}

void TrainingRun::rest() {
    const std::unique_lock turn(training_, std::try_to_lock);
    if (turn) rest_now();
}

void TrainingRun::rest_now() {
    if (!trainer_) return;
    auto state = std::make_shared<const TrainingState>(trainer_->state());
    {
        const std::lock_guard lock(publishing_);
        record_.snapshots[state->step] = std::move(state);
    }
    trainer_.reset();
}

void TrainingRun::condense() {
    const std::unique_lock turn(training_, std::try_to_lock);
    if (!turn) return;
    rest_now();
    if (const std::unique_lock lock(replaying_, std::try_to_lock); lock) {
        replayer_.reset();
        replayed_ = Memo<int, TrainingState>(few_steps);
        models_ = Memo<int, Model>(few_steps);
    }
    std::map<int, std::shared_ptr<const TrainingState>> all;
    const std::lock_guard lock(publishing_);  // ends before the rest is freed
    if (record_.snapshots.size() < 3) return;
    all.swap(record_.snapshots);
    record_.snapshots.insert(*all.begin());
    record_.snapshots.insert(*all.rbegin());
}

std::size_t TrainingRun::snapshot_bytes() const {
    const std::lock_guard lock(publishing_);
    if (record_.snapshots.empty()) return 0;
    return record_.snapshots.size() * bytes_of_state(*record_.snapshots.begin()->second);
}

std::size_t TrainingRun::condensed_bytes() const {
    constexpr std::size_t states = 2;
    const std::lock_guard lock(publishing_);
    if (record_.scores.empty()) return 0;
    return states * bytes_of_state(*record_.snapshots.begin()->second) + record_.scores.capacity() * sizeof(BatchScore);
}

void TrainingRun::train_to(int steps, const Cancel& cancel, const Progress& progress) {
    open();
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
    const auto turn = turn_at(training_, cancel);
    open();
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
    const auto turn = turn_at(replaying_, cancel);
    return replayed_.get(steps, [&] {
        if (!replayer_) replayer_ = std::make_unique<Trainer>(recipe_);
        if (replayer_->steps_done() > steps || replayer_->steps_done() < from->step) replayer_->restore(*from);
        try {
            while (replayer_->steps_done() < steps) replayer_->step(cancel);
            return replayer_->state();
        } catch (const Cancelled&) {
            throw;
        } catch (...) {  // too little memory, perhaps in the middle of a step
            replayer_.reset();
            throw;
        }
    });
}

int TrainingRun::snapshot_before(int steps) const {
    const std::lock_guard lock(publishing_);
    const auto after = record_.snapshots.upper_bound(steps);
    return after == record_.snapshots.begin() ? 0 : std::prev(after)->first;
}

int TrainingRun::steps_to(int steps) const {
    const int done = steps_done();
    return steps > done ? steps - done : steps - snapshot_before(steps);
}

int TrainingRun::final_stride() const {
    if (record_.steps_done() == recipe_.steps) return 1;  // no snapshot will be dropped
    const std::size_t most = most_snapshots(*record_.snapshots.begin()->second);
    int stride = stride_;
    const auto count = [&] {
        return static_cast<std::size_t>(1 + recipe_.steps / stride + (recipe_.steps % stride != 0 ? 1 : 0));
    };
    while (count() > most) stride *= 2;
    return stride;
}

int TrainingRun::steps_of_replay(std::span<const int> wanted) const {
    const std::lock_guard lock(publishing_);
    const int stride = final_stride();
    int sum = 0, at = 0;
    for (const int steps : wanted) {
        int from = steps == recipe_.steps ? steps : steps - steps % stride;
        if (from <= record_.steps_done()) from = std::prev(record_.snapshots.upper_bound(from))->first;
        sum += steps - std::max(at, from);
        at = steps;
    }
    return sum;
}

std::shared_ptr<const Model> TrainingRun::model_after(int steps, const Cancel& cancel, const Progress& progress) {
    const auto state = state_after(steps, cancel, progress);
    const auto turn = turn_at(replaying_, cancel);
    return models_.get(state->step, [&] { return *trained_model(recipe_, state->parameters); });
}

std::shared_ptr<TrainingRun> training_run_of(const Recipe& recipe) {
    RunStore& store = run_store();
    const std::lock_guard lock(store.mutex);
    const auto found = store.find(recipe);
    if (found == store.runs.end()) return store.keep(std::make_shared<TrainingRun>(recipe));
    store.runs.splice(store.runs.begin(), store.runs, found);
    return store.runs.front();
}

namespace {

/// Each step takes one pass forward, and two backward.
double step_work(const Recipe& recipe) {
    constexpr double passes = 3;
    return passes * recipe.batch * run_work(*model_without_weights(recipe), recipe.context);
}

}  // namespace

double training_work(const Recipe& recipe, int steps) {
    const auto run = training_run_of(recipe);
    run->open();  // its steps may be in a file
    return run->steps_to(steps) * step_work(recipe);
}

double replay_work(const Recipe& recipe, std::span<const int> steps) {
    const auto run = training_run_of(recipe);
    run->open();
    return run->steps_of_replay(steps) * step_work(recipe);
}

std::shared_ptr<TrainingRun> find_training_run(const Recipe& recipe) {
    RunStore& store = run_store();
    const std::lock_guard lock(store.mutex);
    const auto found = store.find(recipe);
    return found == store.runs.end() ? nullptr : *found;
}

std::shared_ptr<TrainingRun> new_training_run_of(const Recipe& recipe) {
    RunStore& store = run_store();
    const std::lock_guard lock(store.mutex);
    if (const auto found = store.find(recipe); found != store.runs.end())
        store.forgotten.splice(store.forgotten.end(), store.runs, found);
    return store.keep(std::make_shared<TrainingRun>(recipe, false));
}

void list_training_run(TrainingRun& run) {
    run.set_listed();
    RunStore& store = run_store();
    const std::lock_guard lock(store.mutex);
    store.list(run.summary());
}

std::vector<RunSummary> listed_training_runs() {
    RunStore& store = run_store();
    const std::lock_guard lock(store.mutex);
    for (const auto& run : store.runs) store.update(run->summary());
    return {store.listed.begin(), store.listed.end()};
}

void keep_training_in(const std::string& folder) {
    cache_folder() = folder;
}

}  // namespace ropewalk
