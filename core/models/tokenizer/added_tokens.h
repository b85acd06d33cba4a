// Tokens that are found in the text before it is split, such as <|begin_of_text|>.
#pragma once

#include <bitset>
#include <string>
#include <string_view>
#include <utility>
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
    /// Errors name the list of tokens as `where`.
    explicit TokenFinder(std::string where) : where_(std::move(where)) {}
    /// Searches for `written`, which is the token's content, perhaps normalized. The first of equal ones is kept.
    void add(std::string written, const AddedToken& token);
    /// Makes what was added ready for `split`.
    void finish();
    /// Adds the tokens in the piece, and the text between them. Throws LimitError if this takes too long, or if the
    /// parts become too long together.
    void split(const TokenizerPiece& piece, TokenizerPieces& parts, Deadline deadline) const;

  private:
    struct Written {
        std::string text;
        AddedToken token;
        int longest_prefix = -1;  // among the others; −1 for none
    };
    /// Returns the longest one that the text begins with; null if there is none.
    const Written* longest_prefix_of(std::string_view text) const;

    std::string where_;
    std::vector<Written> written_;  // sorted by text
    std::bitset<256> first_bytes_;
};

}  // namespace ropewalk
