// Undo and redo of a plain value, with one step per gesture.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace ropewalk {

/// Whether a change is complete or part of an ongoing gesture, such as a drag of a slider.
enum class Gesture { complete, ongoing };

/// Returns whether nothing differs between two values, so that the change is not a step.
template <class Value>
bool is_no_step(const Value& before, const Value& after) {
    return before == after;
}

template <class Value>
class History {
  public:
    struct Step {
        Value value;
        std::string name;  // of the change that led to it
    };

    explicit History(Value first) : steps_{{std::move(first), {}}} {}

    const Value& current() const { return steps_[at_].value; }
    /// Returns the current value, to be changed without a step.
    Value& current() { return steps_[at_].value; }

    /// Returns the value before the current change: while a gesture lasts, the value at its beginning.
    const Value& before_change() const { return in_gesture_ && at_ > 0 ? steps_[at_ - 1].value : current(); }

    /// Makes `value` the current one. All changes of a gesture are one step, named by the last.
    void change(const Value& value, std::string name, Gesture gesture) {
        if (gesture == Gesture::complete || !in_gesture_) {
            undone_.clear();
            if (gesture == Gesture::ongoing)
                undone_.assign(steps_.begin() + static_cast<std::ptrdiff_t>(at_) + 1, steps_.end());
            ++moves_;
            steps_.resize(at_ + 1);
            steps_.push_back({value, std::move(name)});
            if (steps_.size() > max_steps) steps_.erase(steps_.begin());
            at_ = steps_.size() - 1;
        } else {
            steps_[at_] = {value, std::move(name)};
        }
        in_gesture_ = gesture == Gesture::ongoing;
    }
    /// Ends the gesture. If it led back to where it began, it is not a step and what had been undone can still be
    /// redone.
    void end_gesture() {
        if (std::exchange(in_gesture_, false) && at_ > 0 && is_no_step(steps_[at_ - 1].value, steps_[at_].value)) {
            steps_.pop_back();
            --at_;
            steps_.insert(steps_.end(), undone_.begin(), undone_.end());
        }
        undone_.clear();
    }

    /// Returns the name of every step; that of the first is empty.
    std::vector<std::string> names() const {
        std::vector<std::string> all;
        for (const Step& step : steps_) all.push_back(step.name);
        return all;
    }
    std::size_t at() const { return at_; }

    const std::vector<Step>& steps() const { return steps_; }
    /// Restores the history of another run: one or more steps, of which `at` is the current one.
    void restore(std::vector<Step> steps, std::size_t at) {
        steps_ = std::move(steps);
        at_ = at;
        leave_gesture();
    }

    /// Makes the current value the only step.
    void forget_steps() {
        steps_ = {{current(), {}}};
        at_ = 0;
        leave_gesture();
    }
    /// Returns how often the current step has changed.
    std::size_t moves() const { return moves_; }

    bool can_undo() const { return at_ > 0; }
    bool can_redo() const { return at_ + 1 < steps_.size(); }
    /// Returns the name of the step undone or redone; empty if there is none.
    std::string undo() {
        if (!can_undo()) return {};
        leave_gesture();
        return steps_[at_--].name;
    }
    std::string redo() {
        if (!can_redo()) return {};
        leave_gesture();
        return steps_[++at_].name;
    }

  private:
    void leave_gesture() {
        in_gesture_ = false;
        undone_.clear();
        ++moves_;
    }

    static constexpr std::size_t max_steps = 1000;

    std::vector<Step> steps_;
    std::vector<Step> undone_;  // at the start of the gesture
    std::size_t at_ = 0, moves_ = 0;
    bool in_gesture_ = false;
};

}  // namespace ropewalk
