#include "core/machine/large_array.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>

namespace ropewalk {
namespace {

TEST(LargeArray, IsAlignedWhateverWasFreedBefore) {
    for (int i = 0; i < 8; ++i) free_large(std::malloc(large_page - 1));  // as large as a page, once it is rounded
    const LargeArray<float> array = large_array<float>(large_page / sizeof(float));
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(array.get()) % large_page, 0u);
}

TEST(LargeArray, WhatWasFreedIsGivenAgain) {
    // What others freed may wait, too: no more than two of this size have room, and these two are held.
    const LargeArray<char> held[] = {large_array<char>(3 * large_page), large_array<char>(3 * large_page)};
    void* const freed = allocate_large(3 * large_page);
    free_large(freed);
    const LargeArray<char> again = large_array<char>(3 * large_page - 100);
    EXPECT_EQ(again.get(), freed);
}

}  // namespace
}  // namespace ropewalk
