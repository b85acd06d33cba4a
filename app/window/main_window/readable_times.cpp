#include "app/window/main_window/readable_times.h"

#include <fmt/format.h>

#include "app/plot/axes.h"

namespace ropewalk {
namespace {

constexpr double min_part = 0.01;  // ms; shorter parts are omitted

}  // namespace

std::string readable_times(const WorkerState& state, TimeDetail detail) {
    if (!state.results && !state.coarse) return {};
    std::vector<StageTime> stages;  // each named once
    for (const StageTime& time : (state.coarse ? *state.coarse : *state.results).times) add_time(stages, time);
    std::string text;
    for (const StageTime& time : stages) {
        text += fmt::format("{}{} {} ms", text.empty() ? "" : ", ", time.stage, readable(time.milliseconds, 3));
        if (time.parts.empty() || detail == TimeDetail::stages) continue;
        std::string parts;
        for (const StageTime& part : time.parts)
            if (part.milliseconds >= min_part)
                parts += fmt::format("{}{} {}", parts.empty() ? "" : " + ", part.stage, readable(part.milliseconds, 3));
        if (!parts.empty()) text += fmt::format(" ({})", parts);
    }
    if (state.coarse) return text.empty() ? "preview" : "preview: " + text;
    return text.empty() ? "up to date" : text;
}

}  // namespace ropewalk
