// SIGHUP (a closed terminal), SIGINT and SIGTERM end the program in an orderly way, with exit codes 129, 130 and 143.
#pragma once

#include <atomic>
#include <csignal>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>

#include "core/cancel.h"

namespace ropewalk {

/// Takes the signals for the whole process; create it before any other thread. A separate thread waits for them, so the
/// reaction is ordinary code. If the program has not ended soon after a signal, or a second signal arrives, the process
/// exits immediately: after 0.3 seconds, or after two where an action was set, which has more to save.
class Signals {
  public:
    Signals();
    ~Signals();
    Signals(const Signals&) = delete;
    Signals& operator=(const Signals&) = delete;

    /// Returns a token that is cancelled once a signal has arrived.
    Cancel cancel() const { return {generation_, 0}; }
    /// Sets the function called from the signal thread when the first signal arrives, or at once if it already has.
    /// Pass nothing to remove it.
    void on_signal(std::function<void()> action);
    /// Returns 0, or 128 + the signal's number.
    int exit_code() const { return exit_code_; }

  private:
    void wait();

    sigset_t set_{};
    std::atomic<std::uint64_t> generation_{0};
    std::atomic<int> exit_code_{0};
    std::atomic<bool> done_{false};
    std::mutex mutex_;
    std::function<void()> action_;
    std::thread thread_;
};

}  // namespace ropewalk
