// A record of every frame's times, to check whether the window is fast enough (`--trace-frames FILE`).
#pragma once

#include <chrono>
#include <fstream>
#include <string>
#include <string_view>

#include "app/window/widgets/gui.h"
#include "core/evaluation/worker.h"

namespace ropewalk {

/// Writes one line of comma-separated values per frame: its start [ms since the first], the time to build and to draw
/// it [ms; drawing is 0 if nothing changed], the fingerprint of the experiment whose results were shown, and whether
/// these were coarse or exact.
class FrameTrace {
  public:
    /// Throws IoError if the file cannot be written, and UsageError if it exists and is no trace.
    explicit FrameTrace(const std::string& path);

    /// Throws IoError.
    void add(const FrameTimes& times, const WorkerState& state);

  private:
    void write(std::string_view line);

    std::string path_;
    std::ofstream file_;
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace ropewalk
