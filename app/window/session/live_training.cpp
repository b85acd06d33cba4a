#include "app/window/session/live_training.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <new>
#include <utility>

#include "app/plot/axes.h"
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
        if (is_paused_) paused_ = run_;
        run_ = std::move(run);
        if (run_) run_->set_led(true);
        pause(run_ && run_ == paused_.lock());
        one_step_ = 0, is_listed_ = false;
        ++generation_;
    }
    changed_.notify_all();
}

void LiveTraining::leave(std::shared_ptr<TrainingRun> run) {
    const std::lock_guard lock(mutex_);
    if (run == left_) return;
    if (left_) left_->set_left(false);
    left_ = std::move(run);
    if (left_) left_->set_left(true);
}

void LiveTraining::follow(const Experiment& experiment, const Experiment* before, bool is_dragging) {
    const auto then = before ? trained_head_of(before->construction) : std::nullopt;
    leave(then ? find_training_run(then->recipe) : nullptr);
    const auto trained = trained_head_of(experiment.construction);
    if (!trained) return;
    const auto run = training_run_of(trained->recipe);
    lead(run);
    if (!is_dragging && !std::exchange(is_listed_, true)) list_training_run(*run);
}

Experiment LiveTraining::shown(Experiment experiment) const {
    const auto trained = trained_head_of(experiment.construction);
    if (!trained) return experiment;
    const std::lock_guard lock(mutex_);
    for (const auto& run : {run_, left_}) {
        if (!run || !(run->recipe() == trained->recipe)) continue;
        const int done = run->steps_done(), wanted = trained->shown_step();
        if (done < wanted) set_number(experiment, "construction.step", done);
        break;
    }
    return experiment;
}

std::string LiveTraining::take_failure() {
    const std::lock_guard lock(mutex_);
    return std::exchange(failure_, {});
}

LiveTraining::State LiveTraining::state() const {
    const std::lock_guard lock(mutex_);
    if (!run_) return State::none;
    if (run_->steps_done() >= run_->recipe().steps) return State::done;
    return is_paused_ ? State::paused : State::training;
}

std::string LiveTraining::description() const {
    const State now = state();
    const std::shared_ptr<TrainingRun> run = current();
    if (!run) return {};
    const RunSummary summary = run->summary();
    const int done = summary.steps_done;
    if (now == State::done) return fmt::format("Trained: {} steps", readable(done));
    std::string text = fmt::format("{}: step {} of {}", now == State::paused ? "Paused" : "Training", readable(done),
                                   readable(summary.recipe.steps));
    if (now == State::training && done > 0 && summary.seconds)
        text += fmt::format(", {} ms per step", readable(1000 * *summary.seconds / done, 2));
    return text;
}

std::shared_ptr<TrainingRun> LiveTraining::current() const {
    const std::lock_guard lock(mutex_);
    return run_;
}

void LiveTraining::pause(bool is_paused) {
    is_paused_ = is_paused;
    if (run_) run_->set_paused(is_paused);
}

void LiveTraining::pause_or_continue() {
    {
        const std::lock_guard lock(mutex_);
        pause(!is_paused_);
        paused_.reset();
    }
    changed_.notify_all();
}

void LiveTraining::do_one_step() {
    {
        const std::lock_guard lock(mutex_);
        pause(true);
        ++one_step_;
    }
    changed_.notify_all();
}

void LiveTraining::restart() {
    if (const auto run = current()) lead(new_training_run_of(run->recipe()));
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
        std::string failure;
        try {
            run->lead_to(run->steps_done() + 1, cancel);
        } catch (const Cancelled&) {       // another run, or the end
        } catch (const std::bad_alloc&) {  // nothing is lost, and the user may try again
            failure =
                "Training paused because memory ran out. Choose a smaller model or batch, or press T to try again.";
        } catch (const std::exception& error) {
            failure = fmt::format("Training paused: {}", error.what());
        }
        if (!failure.empty()) {
            const std::lock_guard pausing(mutex_);
            failure_ = std::move(failure);
            pause(true);
            one_step_ = 0;
        }
        const auto now = std::chrono::steady_clock::now();
        const bool is_done = run->steps_done() >= run->recipe().steps;
        lock.lock();
        const bool is_paused = is_paused_;
        lock.unlock();
        if (is_done || is_paused || now - shown_at >= between_pictures) wake_(), shown_at = now;
        lock.lock();
        if (run == run_) continue;
        lock.unlock();
        try {
            run->rest();
        } catch (const std::bad_alloc&) {  // it keeps its memory
        }
        lock.lock();
    }
}

}  // namespace ropewalk
