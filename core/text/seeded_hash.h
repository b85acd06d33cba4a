// A hash for tables whose keys come from files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace ropewalk {

/// Hashes texts with a number that is drawn when the program first needs it, so that no file can contain texts that
/// were chosen to collide: two of n bytes do so with a probability of about n · 2⁻⁶³. A table's order differs from run
/// to run.
struct SeededHash {
    std::size_t operator()(std::string_view text) const;
};

}  // namespace ropewalk
