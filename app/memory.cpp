// Vectors of many megabytes are large arrays: every result makes them anew, and small pages that the system gives anew
// can take five times as long as what is computed into them.
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
