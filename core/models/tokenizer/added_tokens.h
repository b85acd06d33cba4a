// Tokens that are found in the text before it is split, such as <|begin_of_text|>.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/io/json_reader.h"
#include "core/models/tokenizer/tokenizer_piece.h"

namespace ropewalk {

struct AddedToken {
    std::string content;
    int id = 0;
    bool single_word = false;             // found only where no letter or digit adjoins
    bool lstrip = false, rstrip = false;  // takes the white space before it, after it
    bool normalized = false;              // searched in the normalized text
    bool special = false;
};

/// Reads an element of `added_tokens`. Throws InputError with the place.
AddedToken read_added_token(const JsonValue& value);

/// Finds tokens in a text: the leftmost, and of those the longest.
class TokenFinder {
  public:
    /// Searches for `written`, which is the token's content, perhaps normalized. The first of equal ones is kept.
    void add(const std::string& written, const AddedToken& token);
    /// Adds the tokens in the piece, and the text between them.
    void split(const TokenizerPiece& piece, TokenizerPieces& parts) const;

  private:
    struct Match {
        std::size_t end;
        int token = -1;
    };
    Match longest_at(std::string_view text, std::size_t begin) const;

    std::unordered_map<std::uint64_t, std::size_t> children_;  // of node · 256 + byte
    std::vector<int> token_of_node_{-1};
    std::vector<AddedToken> tokens_;
};

}  // namespace ropewalk
