// Undo and redo of a plain value, one step a gesture.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace ropewalk {

/// Whether a change is part of a gesture that goes on, as while a slider is held.
enum class Gesture { complete, ongoing };

/// Whether what follows on a value is the same: then it was no step.
template <class Value>
bool is_no_step(const Value& before, const Value& after) {
    return before == after;
}

template <class Value>
class History {
  public:
    struct Step {
        Value value;
        std::string name;  // what led to it
    };

    explicit History(Value first) : steps_{{std::move(first), {}}} {}

    const Value& present() const { return steps_[at_].value; }

    /// What the next change leads away from: while a gesture lasts, what it began with.
    const Value& before_change() const { return in_gesture_ && at_ > 0 ? steps_[at_ - 1].value : present(); }

    /// The present becomes `value`. While a gesture lasts (a slider is held), all its values are one step, named by the
    /// last.
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
    /// One that led back to where it began was no step: what had been undone can still be redone.
    void end_gesture() {
        if (std::exchange(in_gesture_, false) && at_ > 0 && is_no_step(steps_[at_ - 1].value, steps_[at_].value)) {
            steps_.pop_back();
            --at_;
            steps_.insert(steps_.end(), undone_.begin(), undone_.end());
        }
        undone_.clear();
    }

    /// What led to each step that there is; nothing led to the first.
    std::vector<std::string> names() const {
        std::vector<std::string> all;
        for (const Step& step : steps_) all.push_back(step.name);
        return all;
    }
    /// The present one among them.
    std::size_t at() const { return at_; }

    const std::vector<Step>& steps() const { return steps_; }
    /// As it was in another run: these steps, one or more, of which `at` is the present.
    void restore(std::vector<Step> steps, std::size_t at) {
        steps_ = std::move(steps);
        at_ = at;
        leave_gesture();
    }

    /// There is nothing but the present: no way back, or on.
    void forget_steps() {
        steps_ = {{present(), {}}};
        at_ = 0;
        leave_gesture();
    }
    /// How often the present became that of another step.
    std::size_t moves() const { return moves_; }

    bool can_undo() const { return at_ > 0; }
    bool can_redo() const { return at_ + 1 < steps_.size(); }
    /// The name of the step taken back or done again; empty if there is none.
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
    std::vector<Step> undone_;  // when the gesture began
    std::size_t at_ = 0, moves_ = 0;
    bool in_gesture_ = false;
};

}  // namespace ropewalk
