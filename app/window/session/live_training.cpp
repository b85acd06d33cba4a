#include "app/window/session/live_training.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <utility>

#include "core/error.h"

namespace ropewalk {
namespace {

constexpr std::chrono::milliseconds between_pictures{30};

}  // namespace

LiveTraining::LiveTraining(std::function<void()> wake)
    : wake_(wake ? std::move(wake) : [] {}), thread_([this] { work(); }) {}

LiveTraining::~LiveTraining() {
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
        ++generation_;
        if (run_) run_->set_led(false);
    }
    changed_.notify_all();
    thread_.join();
}

void LiveTraining::lead(std::shared_ptr<TrainingRun> run) {
    {
        const std::lock_guard lock(mutex_);
        if (run == run_) return;
        if (run_) run_->set_led(false);
        run_ = std::move(run);
        if (run_) run_->set_led(true);
        is_paused_ = false, one_step_ = 0;
        ++generation_;
    }
    changed_.notify_all();
}

void LiveTraining::follow(const Experiment& experiment) {
    if (const auto trained = trained_head_of(experiment.construction)) lead(training_run_of(trained->recipe));
}

Experiment LiveTraining::shown(Experiment experiment) const {
    const auto trained = trained_head_of(experiment.construction);
    if (!trained) return experiment;
    const std::lock_guard lock(mutex_);
    if (!run_ || !(run_->recipe() == trained->recipe)) return experiment;
    const int done = run_->steps_done(), wanted = trained->step < 0 ? trained->recipe.steps : trained->step;
    if (done < wanted) set_number(experiment, "construction.step", done);
    return experiment;
}

LiveTraining::State LiveTraining::state() const {
    const std::lock_guard lock(mutex_);
    if (!run_) return State::none;
    if (run_->steps_done() >= run_->recipe().steps) return State::done;
    return is_paused_ ? State::paused : State::training;
}

void LiveTraining::pause_or_continue() {
    {
        const std::lock_guard lock(mutex_);
        is_paused_ = !is_paused_;
    }
    changed_.notify_all();
}

void LiveTraining::do_one_step() {
    {
        const std::lock_guard lock(mutex_);
        is_paused_ = true;
        ++one_step_;
    }
    changed_.notify_all();
}

void LiveTraining::restart() {
    std::shared_ptr<TrainingRun> run;
    {
        const std::lock_guard lock(mutex_);
        run = run_;
    }
    if (run) lead(new_training_run_of(run->recipe()));
}

void LiveTraining::work() {
    auto shown_at = std::chrono::steady_clock::now();
    std::unique_lock lock(mutex_);
    while (!stopping_) {
        const auto can_train = [&] {
            return run_ && run_->steps_done() < run_->recipe().steps && (!is_paused_ || one_step_ > 0);
        };
        if (!can_train()) {
            changed_.wait(lock, [&] { return stopping_ || can_train(); });
            continue;
        }
        if (one_step_ > 0) --one_step_;
        const auto run = run_;
        const Cancel cancel(generation_, generation_);
        lock.unlock();
        try {
            run->lead_to(run->steps_done() + 1, cancel);
        } catch (const Cancelled&) {  // another run, or the end
        } catch (const std::exception&) {  // too little memory; nothing is lost, and the user may try again
            const std::lock_guard pausing(mutex_);
            is_paused_ = true, one_step_ = 0;
        }
        const auto now = std::chrono::steady_clock::now();
        const bool is_done = run->steps_done() >= run->recipe().steps;
        if (is_done || now - shown_at >= between_pictures) wake_(), shown_at = now;
        lock.lock();
        if (is_paused_) wake_();
    }
}

}  // namespace ropewalk
