#include "core/text/pieces.h"

#include <algorithm>
#include <unordered_map>

#include "core/text/seeded_hash.h"
#include "core/text/utf8.h"

namespace ropewalk {

TextPieces ranked(const std::vector<std::string_view>& pieces) {
    struct Known {
        std::size_t number, count;
        std::string_view piece;
    };
    std::unordered_map<std::string_view, std::size_t, SeededHash> number_of_piece;
    std::vector<Known> known;
    std::vector<std::size_t> numbers;
    numbers.reserve(pieces.size());
    for (const std::string_view piece : pieces) {
        const auto [entry, is_new] = number_of_piece.try_emplace(piece, known.size());
        if (is_new) known.push_back({known.size(), 0, piece});
        ++known[entry->second].count;
        numbers.push_back(entry->second);
    }
    std::stable_sort(known.begin(), known.end(), [](const Known& a, const Known& b) { return a.count > b.count; });
    TextPieces made;
    std::vector<std::uint16_t> rank_of(known.size(), most_pieces);
    for (std::uint16_t rank = 0; rank < std::min<std::size_t>(most_pieces, known.size()); ++rank) {
        made.by_rank.emplace_back(known[rank].piece);
        rank_of[known[rank].number] = rank;
    }
    made.ranks.reserve(numbers.size());
    for (const std::size_t number : numbers) made.ranks.push_back(rank_of[number]);
    return made;
}

std::vector<std::string_view> characters_of(std::string_view text) {
    std::vector<std::string_view> characters;
    while (!text.empty()) {
        characters.push_back(first_character(text));
        text.remove_prefix(characters.back().size());
    }
    return characters;
}

}  // namespace ropewalk
