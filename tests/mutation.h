// Deterministic damage to valid inputs, for fuzz tests.
#pragma once

#include <algorithm>
#include <random>
#include <string>

namespace ropewalk {

/// One to four random changes: a byte set, a bit flipped, a piece removed, doubled or moved, the end cut off. Only the
/// engine's bits are used, so every standard library makes the same damage.
inline std::string mutated(std::string bytes, std::mt19937& random) {
    const auto below = [&](std::size_t bound) {
        return static_cast<std::size_t>(random()) % std::max<std::size_t>(bound, 1);
    };
    for (std::size_t left = 1 + below(4); left > 0; --left) {
        if (bytes.empty()) bytes.push_back(0);
        const std::size_t at = below(bytes.size()), length = below(std::min<std::size_t>(bytes.size() - at, 16) + 1);
        static constexpr std::string_view telling = "{}[]()'\",:-0919eE.\\\n \xff\x80\x00\x93";
        switch (below(6)) {
            case 0: bytes[at] = static_cast<char>(below(256)); break;
            case 1: bytes[at] = telling[below(telling.size())]; break;
            case 2: bytes[at] = static_cast<char>(bytes[at] ^ 1 << below(8)); break;
            case 3: bytes.erase(at, length); break;
            case 4: bytes.insert(below(bytes.size()), bytes.substr(at, length)); break;
            default: bytes.resize(at); break;
        }
    }
    return bytes;
}

}  // namespace ropewalk
