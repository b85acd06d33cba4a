#include "app/window/frame_trace.h"

#include <fmt/format.h>

#include <cerrno>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "core/error.h"
#include "core/io/descriptor.h"
#include "core/io/files.h"

namespace ropewalk {
namespace {

constexpr std::string_view trace_header = "begin_ms,build_ms,draw_ms,results,detail\n";

/// Throws UsageError if a file would be replaced that is neither empty nor a trace.
void require_no_other_file(const std::string& path) {
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error)) return;
    if (const std::string start = read_start(path, trace_header.size()).bytes; !start.empty() && start != trace_header)
        throw UsageError(fmt::format("{} exists and is not a trace of frames; choose another name", path));
}

}  // namespace

FrameTrace::FrameTrace(const std::string& path) : path_(path) {
    require_no_other_file(path);
    file_.open(path);
    write(trace_header);
}

void FrameTrace::write(std::string_view line) {
    if (!(file_ << line << std::flush)) cannot("written", path_, reason(errno, path_));
}

void FrameTrace::add(const FrameTimes& times, const WorkerState& state) {
    const auto& results = state.coarse ? state.coarse : state.results;
    const std::string shown = results ? fmt::format("{:016x},{}", hash_fields(results->request.experiment),
                                                    results->coarse ? "coarse" : "exact")
                                      : "none,none";
    const double begin = std::chrono::duration<double, std::milli>(times.begin - start_).count();
    write(fmt::format("{:.3f},{:.3f},{:.3f},{}\n", begin, times.build_ms, times.draw_ms, shown));
}

}  // namespace ropewalk
