// A text as a list of pieces, such as words, numbered by how often they occur.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ropewalk {

/// The pieces of a text in their order, as ranks: 0 is the most frequent piece; of equally frequent ones, the first.
struct TextPieces {
    std::vector<std::string> by_rank;  // at most `most_pieces`
    std::vector<std::uint16_t> ranks;  // `most_pieces` for all others
};
inline constexpr std::uint16_t most_pieces = 4096;

/// Ranks the pieces of a text.
TextPieces ranked(const std::vector<std::string_view>& pieces);

/// Returns the characters of a UTF-8 text.
std::vector<std::string_view> characters_of(std::string_view text);

}  // namespace ropewalk
