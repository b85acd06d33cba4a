// Small arrays aligned for vector instructions.
#pragma once

#include <hwy/aligned_allocator.h>

#include <cstddef>
#include <new>

namespace ropewalk {

using AlignedDoubles = hwy::AlignedFreeUniquePtr<double[]>;

/// Allocates uninitialised numbers, aligned for vectors. Throws std::bad_alloc, whereas Highway returns null.
inline AlignedDoubles aligned_doubles(std::size_t count) {
    AlignedDoubles numbers = hwy::AllocateAligned<double>(count);
    if (!numbers) throw std::bad_alloc();
    return numbers;
}

}  // namespace ropewalk
