// Replaces operator new for vectors of many megabytes. Every result allocates them again, and zeroing small pages can
// take five times as long as computing their contents.
#include <cstdlib>
#include <new>

#include "core/machine/large_array.h"

void* operator new(std::size_t bytes) {
    if (bytes >= ropewalk::large_page) return ropewalk::allocate_large(bytes);
    if (void* const memory = std::malloc(bytes == 0 ? 1 : bytes)) return memory;
    throw std::bad_alloc();
}
void operator delete(void* memory) noexcept {
    ropewalk::free_large(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
    ropewalk::free_large(memory);
}
