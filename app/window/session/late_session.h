// A session whose process was still ending when this one started.
#pragma once

#include <chrono>
#include <cstddef>

#include "app/window/session/notices.h"
#include "app/window/session/recovery.h"

namespace ropewalk {

/// Looks for a session that can be recovered only after the start, because the system was still ending the process that
/// saved it: memory in use is slow to return.
class LateSession {
  public:
    /// Begins to look, if another process holds a session.
    explicit LateSession(const Recovery& recovery)
        : recovery_(recovery), at_start_(recovery.recoverable().size()), is_awaited_(recovery.has_others()) {}

    /// Looks twice a second for a quarter of a minute, and tells of the session once it has been found. Call once per
    /// frame. Returns for how many seconds the next call may wait.
    double look(Notices& notices);

  private:
    using Clock = std::chrono::steady_clock;

    const Recovery& recovery_;
    std::size_t at_start_;  // sessions that could be recovered
    Clock::time_point started_ = Clock::now(), looked_{};
    bool is_awaited_;
};

}  // namespace ropewalk
