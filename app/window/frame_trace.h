// A record of frames for whoever wants to know whether the window keeps up (`--trace-frames FILE`).
#pragma once

#include <chrono>
#include <fstream>
#include <memory>
#include <string>

#include "app/window/widgets/gui.h"
#include "core/evaluation/worker.h"

namespace ropewalk {

/// Writes one line of comma-separated values a frame: when it began [ms since the first], how long building and drawing
/// it took [ms; drawing 0 where nothing differed], the fingerprint of the experiment whose results were shown, and
/// whether these were coarse or exact.
class FrameTrace {
  public:
    /// Throws IoError if the file cannot be written.
    explicit FrameTrace(const std::string& path);

    void add(const FrameTimes& times, const WorkerState& state);

  private:
    std::ofstream file_;
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
    std::shared_ptr<const Results> shown_;
    std::string shown_text_ = "none,none";
};

}  // namespace ropewalk
