// A session that the start did not open.
#pragma once

#include <chrono>

#include "app/window/session/notices.h"
#include "app/window/session/recovery.h"

namespace ropewalk {

/// Looks for a session that can be recovered although it was not opened at the start: another scene was asked for, its
/// opening ended the program, or the system was still ending the process that saved it, as memory in use is slow to
/// return.
class LateSession {
  public:
    explicit LateSession(const Recovery& recovery) : recovery_(recovery) {}

    /// Looks, and while other processes hold sessions again twice a second for a quarter of a minute, and tells of the
    /// session once. Call once per frame. Returns for how many seconds the next call may wait.
    double look(Notices& notices);

  private:
    using Clock = std::chrono::steady_clock;

    const Recovery& recovery_;
    Clock::time_point started_ = Clock::now(), looked_{};
    bool is_awaited_ = true;
};

}  // namespace ropewalk
