// Durations of the stages of a computation.
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
    std::vector<StageTime> parts{};  // its known parts, without those that were reused
};

/// Adds a time, and its parts, to the stage with the same name.
inline void add_time(std::vector<StageTime>& times, const StageTime& more) {
    auto same =
        std::find_if(times.begin(), times.end(), [&](const StageTime& time) { return time.stage == more.stage; });
    if (same == times.end()) same = times.insert(times.end(), {.stage = more.stage});
    same->milliseconds += more.milliseconds;
    for (const StageTime& part : more.parts) add_time(same->parts, part);
}

/// A stopwatch for the stages of a computation. Not thread-safe.
class StageClock {
  public:
    /// Returns the milliseconds since the last call or the construction.
    double lap() {
        const auto now = Clock::now();
        return std::chrono::duration<double, std::milli>(now - std::exchange(last_, now)).count();
    }
    /// Adds the time since the last call or the construction to `stage`.
    void lap(std::string_view stage) { add(stage, lap()); }
    /// Divides that time among several stages, in proportion to their weights.
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

/// Durations of frames of the whole window [ms].
struct WindowTimes {
    double first_frame = 0;  // from the start of the process
    // After all results are exact: laying out widgets and figures; a whole frame without changes; a whole frame
    // redrawn, including the readback of its pixels.
    std::vector<double> built, unchanged, redrawn;
};

/// The stages of attention: rotation of queries and keys, their products, exponentials and their sums, pooling of
/// cells.
namespace attention_stage {
inline constexpr std::string_view rotation = "rotation", products = "products", softmax = "softmax", cells = "cells";
}  // namespace attention_stage

}  // namespace ropewalk
