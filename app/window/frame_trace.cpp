#include "app/window/frame_trace.h"

#include <fmt/format.h>

namespace ropewalk {

FrameTrace::FrameTrace(const std::string& path) : file_(path) {
    if (!file_) throw IoError(fmt::format("cannot write {}", path));
    file_ << "begin_ms,build_ms,draw_ms,results,detail\n";
}

void FrameTrace::add(const FrameTimes& times, const WorkerState& state) {
    const auto& results = state.coarse ? state.coarse : state.results;
    const std::string shown = results ? fmt::format("{:016x},{}", hash_fields(results->request.experiment),
                                                    results->coarse ? "coarse" : "exact")
                                      : "none,none";
    const double begin = std::chrono::duration<double, std::milli>(times.begin - start_).count();
    file_ << fmt::format("{:.3f},{:.3f},{:.3f},{}", begin, times.build_ms, times.draw_ms, shown) << '\n';
}

}  // namespace ropewalk
