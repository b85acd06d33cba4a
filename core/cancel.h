// Asked between tiles of work: is the result still wanted?
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

#include "core/error.h"

namespace ropewalk {

/// A view of a generation counter: the work belongs to `mine` and is stale as soon as the counter has moved on.
/// A default-made Cancel never asks to stop. Copies are cheap and may be used from several threads.
class Cancel {
  public:
    using Clock = std::chrono::steady_clock;
    static constexpr auto ended = ~std::uint64_t{0};  // the generation in which nothing is wanted or spared

    Cancel() = default;
    Cancel(const std::atomic<std::uint64_t>& generation, std::uint64_t mine) : generation_(&generation), mine_(mine) {}

    /// The same, but asks to stop no sooner than then.
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

    /// Throws Cancelled when the work is stale. Call it between tiles, never inside a kernel.
    void check() const {
        if (requested()) throw Cancelled{};
    }

  private:
    const std::atomic<std::uint64_t>* generation_ = nullptr;
    std::uint64_t mine_ = 0;
    Clock::time_point spared_until_{};
};

}  // namespace ropewalk
