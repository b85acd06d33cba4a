// SIGINT and SIGTERM end the program in order, with exit codes 130 and 143, from whatever it is doing.
#pragma once

#include <atomic>
#include <csignal>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>

#include "core/cancel.h"

namespace ropewalk {

/// Takes the signals for the whole process; make it before any other thread. A thread of its own waits for them, so
/// that what is done about them is ordinary code. If the program has not ended two seconds after a signal, or a second
/// one comes, it is ended on the spot.
class Signals {
  public:
    Signals();
    ~Signals();
    Signals(const Signals&) = delete;
    Signals& operator=(const Signals&) = delete;

    /// Asks to stop once a signal has come.
    Cancel cancel() const { return {generation_, 0}; }
    /// Called from the signal thread when the first signal comes, or at once if it came before. Pass nothing to undo.
    void on_signal(std::function<void()> action);
    /// 0, or 128 + the signal's number.
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
