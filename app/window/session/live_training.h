// Trains the model of the open head while the window shows it.
#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "core/experiment/experiment.h"
#include "core/training/training_run.h"

namespace ropewalk {

/// The training of the open head's recipe, on a thread of its own. It continues while other heads are open, unless
/// another recipe takes its place.
class LiveTraining {
  public:
    /// `wake` is called from the thread after steps, at most as often as a display shows them.
    explicit LiveTraining(std::function<void()> wake);
    ~LiveTraining();
    LiveTraining(const LiveTraining&) = delete;
    LiveTraining& operator=(const LiveTraining&) = delete;

    /// Follows the head: trains its model unless that is done. The run of the head before the last change, if there is
    /// one, stays as it is. During a drag, runs are not listed: most of them end at once. Call once per frame.
    void follow(const Experiment& experiment, const Experiment* before = nullptr, bool is_dragging = false);
    /// Returns a head as it can be shown now: after the steps that are done, if it should be after more.
    Experiment shown(Experiment experiment) const;
    /// Returns why the training stopped, once; empty if it did not.
    std::string take_failure();

    enum class State { none, training, paused, done };
    State state() const;
    /// Returns how far it is: "Training: step 214 of 500, 11 ms per step"; empty if nothing is trained.
    std::string description() const;
    void pause_or_continue();
    /// Does one step and pauses.
    void do_one_step();
    /// Forgets the run and begins it again.
    void restart();

  private:
    std::shared_ptr<TrainingRun> current() const;
    void work();
    void lead(std::shared_ptr<TrainingRun> run);
    void leave(std::shared_ptr<TrainingRun> run);
    /// Call with the lock held.
    void pause(bool is_paused);

    std::function<void()> wake_;
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::atomic<std::uint64_t> generation_{0};
    std::shared_ptr<TrainingRun> run_;
    std::shared_ptr<TrainingRun> left_;  // of the head before the last change
    std::weak_ptr<TrainingRun> paused_;  // when another was led; stays paused if it is led again
    bool is_listed_ = false;
    std::string failure_;
    bool is_paused_ = false, stopping_ = false;
    int one_step_ = 0;  // steps to do while paused
    std::thread thread_;
};

}  // namespace ropewalk
