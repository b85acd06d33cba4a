#include "core/machine/large_array.h"

#include <malloc.h>
#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <mutex>
#include <new>

namespace ropewalk {
namespace {

constexpr std::size_t line = 128;  // two cache lines, which are fetched together
constexpr std::size_t most_waiting_bytes = std::size_t{12} << 20;

std::size_t rounded_up(std::size_t bytes, std::size_t alignment) {
    return (bytes + alignment - 1) / alignment * alignment;
}

/// Freed memory that was not yet returned to the system, oldest first.
class WaitingBlocks {
  public:
    /// Returns a block of `bytes` or slightly more; null if there is none. If malloc maps a block by itself, the bytes
    /// skipped for alignment count as part of it: up to a page.
    void* take(std::size_t bytes) {
        const std::scoped_lock lock(mutex_);
        const auto end = blocks_.begin() + count_;
        const auto found = std::find_if(blocks_.begin(), end, [&](const Block& block) {
            return block.bytes >= bytes && block.bytes <= bytes + std::max(bytes / 4, large_page);
        });
        return found == end ? nullptr : remove(found - blocks_.begin());
    }

    void put(void* memory, std::size_t bytes) {
        const std::scoped_lock lock(mutex_);
        if (bytes > most_waiting_bytes) return std::free(memory);
        while (bytes_ + bytes > most_waiting_bytes) std::free(remove(0));
        blocks_[count_++] = {memory, bytes};
        bytes_ += bytes;
    }

  private:
    struct Block {
        void* memory = nullptr;
        std::size_t bytes = 0;  // large_page or more
    };
    void* remove(std::ptrdiff_t index) {
        const Block block = blocks_[index];
        std::copy(blocks_.begin() + index + 1, blocks_.begin() + count_, blocks_.begin() + index);
        --count_;
        bytes_ -= block.bytes;
        return block.memory;
    }

    std::mutex mutex_;
    std::array<Block, most_waiting_bytes / large_page> blocks_{};
    std::ptrdiff_t count_ = 0;
    std::size_t bytes_ = 0;
};

WaitingBlocks& waiting() {
    static WaitingBlocks* const blocks = new WaitingBlocks;  // never destroyed: arrays may be freed at exit
    return *blocks;
}

}  // namespace

void* allocate_large(std::size_t bytes) {
    const std::size_t alignment = bytes < large_page ? line : large_page;
    const std::size_t rounded = rounded_up(std::max<std::size_t>(bytes, 1), alignment);
    if (bytes >= large_page)
        if (void* const memory = waiting().take(rounded)) return memory;
    void* const memory = std::aligned_alloc(alignment, rounded);
    if (!memory) throw std::bad_alloc();
#ifdef MADV_HUGEPAGE
    // The last page is large only if most of it is used, because it is allocated as a whole.
    if (bytes >= large_page) madvise(memory, rounded_up(bytes - large_page / 2, large_page), MADV_HUGEPAGE);
#endif
    return memory;
}

void free_large(void* memory) noexcept {
    const std::size_t bytes = memory ? malloc_usable_size(memory) : 0;
    // A smaller block may be as large through rounding, but it is not aligned to a page.
    const bool is_aligned = reinterpret_cast<std::uintptr_t>(memory) % large_page == 0;
    if (bytes < large_page || !is_aligned) return std::free(memory);
    waiting().put(memory, bytes);
}

}  // namespace ropewalk
