// Arrays of many megabytes.
#pragma once

#include <cstddef>
#include <memory>

namespace ropewalk {

constexpr std::size_t large_page = std::size_t{2} << 20;

/// Uninitialised memory, aligned for vectors; from large_page bytes on in pages of that size, where the system grants
/// them: they cost 512 times fewer faults, and reading them in order waits for fewer translations of addresses.
/// `bytes` may be 0. Throws std::bad_alloc.
void* allocate_large(std::size_t bytes);

/// Of memory from `allocate_large` or malloc. From large_page bytes on it waits for the next array of about its size,
/// as far as there is room for what waits: results are as large as those they replace, and what the system gives
/// anew it first fills with zeros.
void free_large(void* memory) noexcept;

struct FreeLarge {
    void operator()(void* memory) const { free_large(memory); }
};

/// Uninitialised numbers.
template <class T>
using LargeArray = std::unique_ptr<T[], FreeLarge>;

template <class T>
LargeArray<T> large_array(std::size_t count) {
    return LargeArray<T>(static_cast<T*>(allocate_large(count * sizeof(T))));
}

}  // namespace ropewalk
