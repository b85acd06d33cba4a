// Vectors of many megabytes in large pages: every result makes them anew, and small pages that the system gives anew
// can take five times as long as what is computed into them.
#include <cstdlib>
#include <new>

#include "core/large_array.h"

void* operator new(std::size_t bytes) {
    if (bytes >= ropewalk::large_page) return ropewalk::allocate_large(bytes);
    if (void* const memory = std::malloc(bytes == 0 ? 1 : bytes)) return memory;
    throw std::bad_alloc();
}
void operator delete(void* memory) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
    std::free(memory);
}
