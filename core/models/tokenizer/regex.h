// Patterns in the syntax and with the engine that Hugging Face's tokenizers use (Oniguruma), in bounded time.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace ropewalk {

/// A part of a text, in bytes.
struct RegexSpan {
    std::size_t begin, end;
    bool is_match;

    bool operator==(const RegexSpan&) const = default;
};

/// When the patterns of one call must have finished.
using Deadline = std::chrono::steady_clock::time_point;

/// A compiled pattern. Immutable, and safe to use from several threads.
class Regex {
  public:
    /// Throws InputError with `where` and the reason if the pattern is malformed or calls a group, LimitError if it is
    /// too long or nested too deeply.
    Regex(const std::string& pattern, std::string where);

    /// Returns the matches and what is between them; together they cover the text, which must be valid UTF-8. A match
    /// can be empty, but not in an empty text. Throws LimitError with `where` if this takes too long or too much
    /// memory.
    std::vector<RegexSpan> spans(std::string_view text, Deadline deadline) const;

  private:
    std::shared_ptr<void> compiled_;
    std::string where_;
};

/// Returns the pattern that matches a text literally.
std::string escaped(std::string_view text);

}  // namespace ropewalk
