// Allocation of arrays of many megabytes.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

namespace ropewalk {

constexpr std::size_t large_page = std::size_t{2} << 20;

/// Allocates uninitialised memory, aligned for vectors. From large_page bytes on it uses pages of that size if the
/// system provides them: they cause 512 times fewer page faults and fewer address-translation misses. `bytes` may be 0.
/// Throws std::bad_alloc.
void* allocate_large(std::size_t bytes);

/// Frees memory from `allocate_large`. From large_page bytes on it is reserved, within a limit, for the next
/// array of similar size: results are as large as those they replace, and the system fills new memory with zeros first.
void free_large(void* memory) noexcept;

struct FreeLarge {
    void operator()(void* memory) const { free_large(memory); }
};

/// An array of uninitialised numbers.
template <class T>
using LargeArray = std::unique_ptr<T[], FreeLarge>;

template <class T>
LargeArray<T> large_array(std::size_t count) {
    return LargeArray<T>(static_cast<T*>(allocate_large(count * sizeof(T))));
}

template <class T>
struct LargeAllocator {
    using value_type = T;

    LargeAllocator() = default;
    template <class U>
    LargeAllocator(const LargeAllocator<U>&) {}
    T* allocate(std::size_t count) { return static_cast<T*>(allocate_large(count * sizeof(T))); }
    void deallocate(T* memory, std::size_t) { free_large(memory); }
    bool operator==(const LargeAllocator&) const = default;
};

/// A vector that may take megabytes, such as part of a result.
template <class T>
using LargeVector = std::vector<T, LargeAllocator<T>>;
using Numbers = LargeVector<double>;

}  // namespace ropewalk
