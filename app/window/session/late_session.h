// A session that the start did not open.
#pragma once

#include <chrono>

#include "app/window/session/notices.h"
#include "app/window/session/recovery.h"

namespace ropewalk {

/// Looks for a session that the start did not open: the user asked for another scene, an earlier opening ended the
/// program, or the process that saved it was still ending.
class LateSession {
  public:
    explicit LateSession(const Recovery& recovery) : recovery_(recovery) {}

    /// Looks twice a second, for 15 s while other processes hold sessions, and announces a session that it finds once,
    /// after earlier notices. Call once per frame. Returns for how many seconds the next call may wait.
    double look(Notices& notices);

  private:
    using Clock = std::chrono::steady_clock;

    const Recovery& recovery_;
    Clock::time_point started_ = Clock::now(), looked_{};
    bool is_awaited_ = true;
};

}  // namespace ropewalk
