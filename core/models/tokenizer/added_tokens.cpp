#include "core/models/tokenizer/added_tokens.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/error.h"
#include "core/models/tokenizer/component.h"
#include "core/text/utf8.h"

namespace ropewalk {
namespace {

constexpr std::size_t max_content = 1024;  // bytes
constexpr std::size_t between_checks = 1024;

std::size_t character_before(std::string_view text, std::size_t at) {
    do --at;
    while (at > 0 && (static_cast<unsigned char>(text[at]) & 0xc0) == 0x80);
    return at;
}

/// Returns whether a letter, mark, digit or connector begins the text.
bool begins_with_word(std::string_view text) {
    static const Regex word(R"(\A[\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\x{200c}\x{200d}])", "word characters");
    return word.spans(first_character(text), Deadline::max()).front().is_match;
}

bool begins_with_space(std::string_view text) {
    const char32_t c = take_character(text);
    return (c >= 0x9 && c <= 0xd) || c == 0x20 || c == 0x85 || c == 0xa0 || c == 0x1680 ||
           (c >= 0x2000 && c <= 0x200a) || c == 0x2028 || c == 0x2029 || c == 0x202f || c == 0x205f || c == 0x3000;
}

bool is_single_word(std::string_view text, std::size_t begin, std::size_t end) {
    return (begin == 0 || !begins_with_word(text.substr(character_before(text, begin)))) &&
           (end == text.size() || !begins_with_word(text.substr(end)));
}

}  // namespace

AddedToken read_added_token(const JsonValue& value) {
    AddedToken token;
    token.content = value.at("content").text();
    if (token.content.size() > max_content)
        throw LimitError(fmt::format("{}: the token has {} bytes, more than the limit of {}",
                                     value.at("content").where(), token.content.size(), max_content));
    token.special = flag(value, "special", false);
    token.single_word = flag(value, "single_word", false);
    token.lstrip = flag(value, "lstrip", false);
    token.rstrip = flag(value, "rstrip", false);
    token.normalized = flag(value, "normalized", !token.special);
    return token;
}

void TokenFinder::add(std::string written, const AddedToken& token) {
    if (!written.empty()) written_.push_back({std::move(written), token});
}

void TokenFinder::finish() {
    std::ranges::stable_sort(written_, {}, &Written::text);
    const auto are_same = [](const Written& a, const Written& b) { return a.text == b.text; };
    written_.erase(std::unique(written_.begin(), written_.end(), are_same), written_.end());
    for (std::size_t i = 0; i < written_.size(); ++i) {
        const std::string_view text = written_[i].text;
        first_bytes_.set(static_cast<unsigned char>(text[0]));
        // A prefix of this one that the one before lacks would be between the two.
        int prefix = static_cast<int>(i) - 1;
        while (prefix >= 0 && !text.starts_with(written_[static_cast<std::size_t>(prefix)].text))
            prefix = written_[static_cast<std::size_t>(prefix)].longest_prefix;
        written_[i].longest_prefix = prefix;
    }
}

const TokenFinder::Written* TokenFinder::longest_prefix_of(std::string_view text) const {
    if (!first_bytes_.test(static_cast<unsigned char>(text[0]))) return nullptr;
    // All prefixes of the text are also prefixes of the last one that is not after it.
    const auto after = std::ranges::upper_bound(written_, text, {}, &Written::text);
    for (int at = static_cast<int>(after - written_.begin()) - 1; at >= 0;) {
        const Written& written = written_[static_cast<std::size_t>(at)];
        if (text.starts_with(written.text)) return &written;
        at = written.longest_prefix;
    }
    return nullptr;
}

void TokenFinder::split(const TokenizerPiece& piece, TokenizerPieces& parts, Deadline deadline) const {
    const std::string_view text = piece.text;
    std::size_t done = 0, next_check = 0;
    std::size_t space_end = 0;  // end of the white space searched last, which may contain further tokens
    for (std::size_t at = 0; at < text.size() && !written_.empty();) {
        if (at >= next_check) {
            require_within_limits(parts.bytes(), where_, deadline);
            next_check = at + between_checks;
        }
        const Written* const match = longest_prefix_of(text.substr(at));
        if (!match) {
            ++at;
            continue;
        }
        std::size_t begin = at, end = at + match->text.size();
        at = end;
        const AddedToken& token = match->token;
        if (token.single_word && !is_single_word(text, begin, end)) continue;
        if (token.lstrip) {
            while (begin > done && begins_with_space(text.substr(character_before(text, begin))))
                begin = character_before(text, begin);
            if (begin < done) begin = done;  // within the white space that the token before took
        }
        if (token.rstrip) {
            end = std::max(end, space_end);
            while (end < text.size() && begins_with_space(text.substr(end)))
                end += first_character(text.substr(end)).size();
            space_end = end;
        }
        if (done < begin) parts.add(piece.part(done, begin));
        if (begin >= end) continue;
        parts.add({token.content, 0, token.id});
        done = end;
    }
    if (done < text.size()) parts.add(piece.part(done, text.size()));
}

}  // namespace ropewalk
