// A part of the text between the stages of a tokenizer, and what changes it.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/models/tokenizer/regex.h"

namespace ropewalk {

/// The longest text that all pieces may have together after any step. Real normalizers at most triple a text, and
/// real pre-tokenizers at most double it.
inline constexpr std::size_t most_pieces_bytes = 4 << 20;

/// Throws LimitError, "WHERE: sentence", if a step made the text longer than `most` bytes or the deadline has passed.
void require_within_limits(std::size_t bytes, const std::string& where, Deadline deadline,
                           std::size_t most = most_pieces_bytes);

/// A part of the text, or a token that was found in it.
struct TokenizerPiece {
    std::string text;
    std::size_t first = 0;  // how many of the bytes come from the very first character of the whole text
    int id = -1;            // of an added token; −1 for text that is still to be encoded

    TokenizerPiece part(std::size_t begin, std::size_t end) const;
    void prepend(std::string_view prefix);
    /// Returns how long the text is once the matches among `spans`, which cover it, are replaced.
    static std::size_t bytes_replaced(const std::vector<RegexSpan>& spans, std::string_view content);
    /// Replaces these matches.
    void replace(const std::vector<RegexSpan>& spans, std::string_view content);
};

/// Receives the parts of a piece. Empty ones are dropped.
class TokenizerPieces {
  public:
    void add(TokenizerPiece piece) {
        bytes_ += piece.text.size();
        if (!piece.text.empty()) list_.push_back(std::move(piece));
    }
    /// Returns the length of all texts that were added.
    std::size_t bytes() const { return bytes_; }
    std::vector<TokenizerPiece>& list() { return list_; }

  private:
    std::vector<TokenizerPiece> list_;
    std::size_t bytes_ = 0;
};

}  // namespace ropewalk
