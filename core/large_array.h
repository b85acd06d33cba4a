// Arrays of many megabytes.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>

namespace ropewalk {

struct FreeMemory {
    void operator()(void* bytes) const { std::free(bytes); }
};

/// Uninitialised numbers, aligned for vectors; from large_page bytes on in pages of that size, where the system grants
/// them: they cost 512 times fewer faults, and reading them in order waits for fewer translations of addresses.
template <class T>
using LargeArray = std::unique_ptr<T[], FreeMemory>;
constexpr std::size_t large_page = std::size_t{2} << 20;

/// What std::free frees. Throws std::bad_alloc. `bytes` may be 0.
void* allocate_large(std::size_t bytes);

template <class T>
LargeArray<T> large_array(std::size_t count) {
    return LargeArray<T>(static_cast<T*>(allocate_large(count * sizeof(T))));
}

}  // namespace ropewalk
