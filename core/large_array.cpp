#include "core/large_array.h"

#include <sys/mman.h>

#include <new>

namespace ropewalk {

void* allocate_large(std::size_t bytes) {
    constexpr std::size_t page = std::size_t{2} << 20, line = 128;  // two lines of the cache, as they are fetched
    const std::size_t alignment = bytes < page ? line : page;
    const std::size_t rounded = (bytes + alignment - 1) / alignment * alignment;
    void* const memory = std::aligned_alloc(alignment, rounded == 0 ? alignment : rounded);
    if (!memory) throw std::bad_alloc();
#ifdef MADV_HUGEPAGE
    if (bytes >= page) madvise(memory, rounded, MADV_HUGEPAGE);
#endif
    return memory;
}

}  // namespace ropewalk
