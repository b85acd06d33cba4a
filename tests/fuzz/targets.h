// What reads bytes that may come from anybody. Each target either reads them or throws one of our errors; anything else
// that it throws, and any broken promise, is a fault.
#pragma once

#include <span>
#include <string_view>

namespace ropewalk {

struct FuzzTarget {
    std::string_view name;  // also that of its folder in tests/fuzz/corpus
    void (*read)(std::string_view bytes);
};

std::span<const FuzzTarget> fuzz_targets();

/// Gives the bytes to a target. Returns false if it refused them. Throws what is not one of our errors.
bool is_read(const FuzzTarget& target, std::string_view bytes);

}  // namespace ropewalk
