// Cancellation, checked between tiles of work, and progress.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>

#include "core/error.h"

namespace ropewalk {

/// A view of a generation counter: work of generation `mine` is stale once the counter differs. A default-constructed
/// Cancel never requests cancellation. Cheap to copy and safe to use from several threads.
class Cancel {
  public:
    using Clock = std::chrono::steady_clock;
    static constexpr auto ended = ~std::uint64_t{0};  // cancels all work, also spared work

    Cancel() = default;
    Cancel(const std::atomic<std::uint64_t>& generation, std::uint64_t mine) : generation_(&generation), mine_(mine) {}

    /// Returns a copy that requests cancellation no sooner than `then`.
    Cancel spared_until(Clock::time_point then) const {
        Cancel spared = *this;
        spared.spared_until_ = then;
        return spared;
    }

    bool requested() const {
        if (!generation_) return false;
        const std::uint64_t now = generation_->load(std::memory_order_relaxed);
        return now != mine_ && (now == ended || spared_until_ == Clock::time_point{} || Clock::now() > spared_until_);
    }

    /// Throws Cancelled if the work is stale. Call it between tiles, never inside a kernel.
    void check() const {
        if (requested()) throw Cancelled{};
    }

  private:
    const std::atomic<std::uint64_t>* generation_ = nullptr;
    std::uint64_t mine_ = 0;
    Clock::time_point spared_until_{};
};

/// Callback for the completed fraction of long work, from 0 to 1. May be empty.
using Progress = std::function<void(double fraction)>;

}  // namespace ropewalk
