#include "core/large_array.h"

#include <sys/mman.h>

#include <new>

namespace ropewalk {

void* allocate_large(std::size_t bytes) {
    constexpr std::size_t line = 128;  // two lines of the cache, as they are fetched
    const std::size_t alignment = bytes < large_page ? line : large_page;
    const std::size_t rounded = (bytes + alignment - 1) / alignment * alignment;
    void* const memory = std::aligned_alloc(alignment, rounded == 0 ? alignment : rounded);
    if (!memory) throw std::bad_alloc();
#ifdef MADV_HUGEPAGE
    // The last one only where most of it is wanted: all of it is taken.
    if (bytes >= large_page) madvise(memory, (bytes + large_page / 2) / large_page * large_page, MADV_HUGEPAGE);
#endif
    return memory;
}

}  // namespace ropewalk
