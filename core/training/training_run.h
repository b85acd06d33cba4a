// A training run with what was seen of it: the score of every step, and snapshots to go back to.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "core/memo.h"
#include "core/models/model.h"
#include "core/training/trainer.h"

namespace ropewalk {

/// What is kept of a run.
struct TrainingRecord {
    std::vector<BatchScore> scores;                                 // of the steps done, each before its update
    std::map<int, std::shared_ptr<const TrainingState>> snapshots;  // by steps done; always the start

    int steps_done() const { return static_cast<int>(scores.size()); }
};

/// The state of a run.
struct RunSummary {
    Recipe recipe;
    int steps_done = 0;
    BatchScore last{};                // of the last step that is done
    std::optional<double> seconds{};  // spent in steps; nothing if they were, or may be, read from a file
};

/// The run of one recipe, as far as somebody asks. Thread-safe: whoever asks first trains; the others wait, unless they
/// ask for what is already there.
class TrainingRun {
  public:
    /// The recipe must be valid. Takes no time: the first who asks for steps or weights also opens the run.
    explicit TrainingRun(const Recipe& recipe, bool reads_cache = true);
    ~TrainingRun();

    const Recipe& recipe() const { return recipe_; }
    /// Reads the run's file, or makes its start, unless that is done.
    void open();

    /// Trains until this many steps are done. Throws Cancelled within a step; what was done remains.
    void train_to(int steps, const Cancel& cancel = {}, const Progress& progress = {});
    /// While a run is led, only `lead_to` trains, and `train_to` waits for it: so that a pause is a pause.
    void set_led(bool is_led) { is_led_ = is_led; }
    /// Sets whether the leader pauses.
    void set_paused(bool is_paused) { is_paused_ = is_paused; }
    /// A run that is left before its end is shown as it is.
    void set_left(bool is_left) { is_left_ = is_left; }
    /// Returns whether a leader has more to do, or left the run as it is to stay: nobody should ask for further steps.
    bool is_under_way() const { return (is_led_ || is_left_) && steps_done() < recipe_.steps; }
    /// Returns whether the leader is adding steps. Whatever depends on the last step then changes with each.
    bool is_advancing() const { return is_led_ && !is_paused_ && steps_done() < recipe_.steps; }
    void lead_to(int steps, const Cancel& cancel);
    /// Frees what only training takes. A later step continues where the last one ended.
    void rest();
    /// Also frees all snapshots but the first and the last, unless the run is being trained.
    void condense();
    /// Returns the bytes of all snapshots.
    std::size_t snapshot_bytes() const;
    /// Returns the bytes that the run takes once it is condensed; 0 before its first step.
    std::size_t condensed_bytes() const;
    /// A listed run that is not finished is worth keeping.
    void set_listed() { is_listed_ = true; }
    bool is_worth_keeping() const { return is_listed_ && steps_done() > 0 && steps_done() < recipe_.steps; }

    /// Return how many steps are done, and their scores; none before somebody has opened the run.
    int steps_done() const;
    std::vector<BatchScore> scores() const;
    RunSummary summary() const;
    /// Returns a copy of all that is kept.
    TrainingRecord record() const;
    /// Returns the model after exactly this many steps, at most the recipe's. Trains as far as necessary, from the
    /// nearest snapshot. Throws like `train_to`.
    std::shared_ptr<const Model> model_after(int steps, const Cancel& cancel = {}, const Progress& progress = {});
    /// Returns the last step up to `steps` whose state is at hand.
    int snapshot_before(int steps) const;
    /// Returns how many steps `state_after` computes: the missing ones, or those since the nearest snapshot.
    int steps_to(int steps) const;
    /// Returns how many steps it takes to go back to all these, in ascending order, once the run is finished. The run
    /// must be open.
    int steps_of_replay(std::span<const int> wanted) const;
    /// Returns the parameters after exactly this many steps. Throws like `train_to`.
    std::shared_ptr<const TrainingState> state_after(int steps, const Cancel& cancel = {},
                                                     const Progress& progress = {});

  private:
    void advance(int steps, const Cancel& cancel, const Progress& progress);
    /// Like `rest`. Call with the right to train.
    void rest_now();
    /// Returns a trainer after the steps that are done.
    std::unique_ptr<Trainer> continued(const Cancel& cancel) const;
    void publish(BatchScore score, double seconds);
    void keep_snapshot(TrainingState state);
    /// Returns the steps between snapshots once the run is finished. Call with the lock for publishing.
    int final_stride() const;

    const Recipe recipe_;
    const bool reads_cache_;
    std::atomic<bool> is_led_{false}, is_paused_{false}, is_left_{false}, is_listed_{false};

    std::mutex opening_;
    std::atomic<bool> is_open_{false};

    std::timed_mutex training_;         // whoever trains holds it, and may then use the trainer
    std::unique_ptr<Trainer> trainer_;  // from the first step to the last, because it takes much memory
    std::timed_mutex replaying_;        // whoever goes back to an earlier step holds it
    std::unique_ptr<Trainer> replayer_;
    static constexpr std::size_t few_steps = 4;
    Memo<int, TrainingState> replayed_{few_steps};
    Memo<int, Model> models_{few_steps};

    mutable std::mutex publishing_;  // for all that follows
    TrainingRecord record_;
    std::optional<double> seconds_;
    int stride_ = 1;  // steps between snapshots
};

/// Returns the run of a valid recipe. Runs are shared. Those in use are kept, the latest, up to three more whose
/// snapshots fit in 1 GiB with its own, and of the listed unfinished ones the latest and as many as fit in 256 MiB.
std::shared_ptr<TrainingRun> training_run_of(const Recipe& recipe);

/// Returns the work, in multiply-adds, until the model after `steps` steps of a recipe is at hand: of the steps that
/// are not done, or of those since the nearest snapshot.
double training_work(const Recipe& recipe, int steps);

/// Returns the work, in multiply-adds, of going back to all these steps of a finished run, in ascending order.
double replay_work(const Recipe& recipe, std::span<const int> steps);

/// Returns the run of a recipe that somebody has asked for; null if nobody has, or it was forgotten.
std::shared_ptr<TrainingRun> find_training_run(const Recipe& recipe);

/// Forgets a recipe's run and returns a new one, at its start.
std::shared_ptr<TrainingRun> new_training_run_of(const Recipe& recipe);

/// Adds a run to the list of runs. Finished runs are on it.
void list_training_run(TrainingRun& run);
/// Returns the summaries of the listed runs, in the order in which they were listed.
std::vector<RunSummary> listed_training_runs();

/// Keeps finished runs in files of this folder, so that they need not be trained again; empty: nowhere, as at first.
void keep_training_in(const std::string& folder);

}  // namespace ropewalk
