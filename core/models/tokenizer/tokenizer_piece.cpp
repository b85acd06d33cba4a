#include "core/models/tokenizer/tokenizer_piece.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"

namespace ropewalk {

void require_within_limits(std::size_t bytes, const std::string& where, Deadline deadline, std::size_t most) {
    if (bytes > most)
        throw LimitError(fmt::format("{}: makes the text {} bytes long, more than the limit of {}; shorten the text",
                                     where, bytes, most));
    if (std::chrono::steady_clock::now() > deadline)
        throw LimitError(where + ": takes too long on this text; shorten the text");
}

TokenizerPiece TokenizerPiece::part(std::size_t begin, std::size_t end) const {
    return {text.substr(begin, end - begin), std::min(first - std::min(first, begin), end - begin)};
}

void TokenizerPiece::prepend(std::string_view prefix) {
    if (text.empty()) return;
    text.insert(0, prefix);
    if (first > 0) first += prefix.size();
}

std::size_t TokenizerPiece::bytes_replaced(const std::vector<RegexSpan>& spans, std::string_view content) {
    std::size_t bytes = 0;
    for (const RegexSpan& span : spans) bytes += span.is_match ? content.size() : span.end - span.begin;
    return bytes;
}

void TokenizerPiece::replace(const std::vector<RegexSpan>& spans, std::string_view content) {
    std::string replaced;
    std::size_t first_after = 0;
    for (const RegexSpan& span : spans) {
        replaced += span.is_match ? content : std::string_view(text).substr(span.begin, span.end - span.begin);
        if (first > 0 && (span.is_match ? span.end <= first : span.begin < first))
            first_after = span.is_match ? replaced.size() : replaced.size() - (span.end - std::min(span.end, first));
    }
    text = std::move(replaced);
    first = first_after;
}

}  // namespace ropewalk
