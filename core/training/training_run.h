// A training run with what was seen of it: the score of every step, and snapshots to go back to.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
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

/// The run of one recipe, as far as somebody asks. Thread-safe: whoever asks first trains; the others wait, unless they
/// ask for what is already there.
class TrainingRun {
  public:
    /// The recipe must be valid.
    explicit TrainingRun(const Recipe& recipe, bool reads_cache = true);
    ~TrainingRun();

    const Recipe& recipe() const { return recipe_; }
    /// Returns the model before the first step, which has the same config and tokens as after it.
    const std::shared_ptr<const Model>& start() const { return start_; }

    /// Trains until this many steps are done. Throws Cancelled within a step; what was done remains.
    void train_to(int steps, const Cancel& cancel = {}, const Progress& progress = {});
    /// While a run is led, only `lead_to` trains, and `train_to` waits for it: so that a pause is a pause.
    void set_led(bool is_led) { is_led_ = is_led; }
    /// Returns whether a leader has not yet done all steps: whoever asks for them would wait.
    bool is_under_way() const { return is_led_ && steps_done() < recipe_.steps; }
    void lead_to(int steps, const Cancel& cancel);

    int steps_done() const;
    /// Returns the scores of the steps that are done.
    std::vector<BatchScore> scores() const;
    /// Returns a copy of all that is kept.
    TrainingRecord record() const;
    /// Returns the model after exactly this many steps, at most the recipe's. Trains as far as necessary, from the
    /// nearest snapshot. Throws like `train_to`.
    std::shared_ptr<const Model> model_after(int steps, const Cancel& cancel = {}, const Progress& progress = {});
    /// Returns the parameters after exactly this many steps. Throws like `train_to`.
    std::shared_ptr<const TrainingState> state_after(int steps, const Cancel& cancel = {},
                                                     const Progress& progress = {});

  private:
    void advance(int steps, const Cancel& cancel, const Progress& progress);
    void publish(BatchScore score);
    void keep_snapshot(TrainingState state);

    const Recipe recipe_;
    std::shared_ptr<const Model> start_;
    std::atomic<bool> is_led_{false};

    std::timed_mutex training_;         // whoever trains holds it, and may then use the trainer
    std::unique_ptr<Trainer> trainer_;  // from the first step to the last, because it takes much memory
    std::mutex replaying_;              // whoever goes back to an earlier step holds it
    std::unique_ptr<Trainer> replayer_;
    Memo<int, TrainingState> replayed_{4};
    Memo<int, Model> models_{4};

    mutable std::mutex publishing_;  // for all that follows
    TrainingRecord record_;
    int stride_ = 1;  // steps between snapshots
};

/// Returns the run of a valid recipe. Runs are shared; recent ones are kept, and those in use.
std::shared_ptr<TrainingRun> training_run_of(const Recipe& recipe);

/// Forgets a recipe's run and returns a new one, at its start.
std::shared_ptr<TrainingRun> new_training_run_of(const Recipe& recipe);

/// Keeps finished runs in files of this folder, so that they need not be trained again; empty: nowhere, as at first.
void keep_training_in(const std::string& folder);

}  // namespace ropewalk
