// A part of the text between the stages of a tokenizer, and what changes it.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/models/tokenizer/regex.h"

namespace ropewalk {

/// A part of the text, or a token that was found in it.
struct TokenizerPiece {
    std::string text;
    std::size_t first = 0;  // how many of the bytes come from the very first character of the whole text
    int id = -1;            // of an added token; −1 for text that is still to be encoded

    TokenizerPiece part(std::size_t begin, std::size_t end) const;
    void prepend(std::string_view prefix);
    /// Replaces the matches among `spans`, which cover the text.
    void replace(const std::vector<RegexSpan>& spans, std::string_view content);
};

/// Receives the parts of a piece. Empty ones are dropped.
class TokenizerPieces {
  public:
    void add(TokenizerPiece piece) {
        if (!piece.text.empty()) list_.push_back(std::move(piece));
    }
    std::vector<TokenizerPiece>& list() { return list_; }

  private:
    std::vector<TokenizerPiece> list_;
};

}  // namespace ropewalk
