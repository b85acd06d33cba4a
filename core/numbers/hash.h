// A hash that is the same on every machine.
#pragma once

#include <cstdint>
#include <string_view>

namespace ropewalk {

/// Returns FNV-1a of a text and of an end marker.
constexpr std::uint64_t hash_text(std::string_view text, std::uint64_t seed = 0xcbf29ce484222325) {
    std::uint64_t hash = seed;
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    return (hash ^ 0xff) * 0x100000001b3;  // end marker: ("ab", "c") differs from ("a", "bc")
}

}  // namespace ropewalk
