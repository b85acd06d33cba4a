// How long the stages of a computation took.
#pragma once

#include <algorithm>
#include <chrono>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ropewalk {

struct StageTime {
    std::string stage;
    double milliseconds = 0;
    std::vector<StageTime> parts{};  // that it consists of, where that is known; a part that was remembered is left out
};

/// Adds a time, and its parts, to the stage of that name.
inline void add_time(std::vector<StageTime>& times, const StageTime& more) {
    auto same =
        std::find_if(times.begin(), times.end(), [&](const StageTime& time) { return time.stage == more.stage; });
    if (same == times.end()) same = times.insert(times.end(), {.stage = more.stage});
    same->milliseconds += more.milliseconds;
    for (const StageTime& part : more.parts) add_time(same->parts, part);
}

/// Tells the stages of a computation apart as it comes to the end of each. Used by one thread.
class StageClock {
  public:
    /// Milliseconds since the last call or the beginning.
    double lap() {
        const auto now = Clock::now();
        return std::chrono::duration<double, std::milli>(now - std::exchange(last_, now)).count();
    }
    /// What has passed since the last call or the beginning belongs to this stage.
    void lap(std::string_view stage) { add(stage, lap()); }
    /// To several, in proportion to their weights.
    void lap(std::initializer_list<std::pair<std::string_view, double>> stages) {
        const double all = lap();
        double sum = 0;
        for (const auto& [stage, weight] : stages) sum += weight;
        for (const auto& [stage, weight] : stages)
            if (weight > 0) add(stage, all * weight / sum);
    }

    const std::vector<StageTime>& times() const { return times_; }

  private:
    using Clock = std::chrono::steady_clock;
    void add(std::string_view stage, double milliseconds) {
        add_time(times_, {.stage = std::string(stage), .milliseconds = milliseconds});
    }

    Clock::time_point last_ = Clock::now();
    std::vector<StageTime> times_;
};

/// How long frames of the whole window take [ms].
struct WindowTimes {
    double first_frame = 0;  // from nothing but the process itself
    // Once everything is exact: widgets and figures laid out; all of a frame in which nothing differs; all of it drawn
    // anew, and its pixels read.
    std::vector<double> built, unchanged, redrawn;
};

/// The stages of attention: queries and keys are turned, multiplied, exponentials made and added up, cells pooled.
namespace attention_stage {
inline constexpr std::string_view rotation = "rotation", products = "products", softmax = "softmax", cells = "cells";
}  // namespace attention_stage

}  // namespace ropewalk
