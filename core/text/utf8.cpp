#include "core/text/utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace ropewalk {
namespace {

struct Lead {
    unsigned char mask, mark;  // a lead byte is one with (byte & mask) == mark
    char32_t min;              // smaller characters would be an overlong form
};

constexpr std::array<Lead, 4> leads{{{0x80, 0x00, 0}, {0xe0, 0xc0, 0x80}, {0xf0, 0xe0, 0x800}, {0xf8, 0xf0, 0x10000}}};

/// Returns whether a character moves the cursor, starts an escape sequence or reverses the text after it.
bool controls_terminal(char32_t c) {
    return (c < 0x20 && c != '\n') || (c >= 0x7f && c < 0xa0) || (c >= 0x2028 && c <= 0x202e) ||
           (c >= 0x2066 && c <= 0x2069);
}

/// Returns the text; if it exceeds `most` bytes, without its middle. Cuts no character.
std::string without_middle(std::string text, std::size_t most) {
    constexpr std::string_view gap = " … ";
    if (text.size() <= most + gap.size()) return text;
    const auto is_inside = [&](std::size_t at) { return (static_cast<unsigned char>(text[at]) & 0xc0) == 0x80; };
    std::size_t head = most / 2, tail = text.size() - most / 2;
    while (head > 0 && is_inside(head)) --head;
    while (tail < text.size() && is_inside(tail)) ++tail;
    return text.replace(head, tail - head, gap);
}

}  // namespace

char32_t take_character(std::string_view& rest) {
    const auto first = static_cast<unsigned char>(rest[0]);
    for (std::size_t more = 0; more < leads.size(); ++more) {
        const Lead& lead = leads[more];
        if ((first & lead.mask) != lead.mark) continue;
        if (rest.size() <= more) break;
        auto character = static_cast<char32_t>(first & ~lead.mask);
        bool valid = true;
        for (std::size_t i = 1; i <= more; ++i) {
            const auto byte = static_cast<unsigned char>(rest[i]);
            valid = valid && (byte & 0xc0) == 0x80;
            character = character << 6 | (byte & 0x3fu);
        }
        const bool surrogate = character >= 0xd800 && character < 0xe000;
        if (!valid || surrogate || character < lead.min || character > 0x10ffff) break;
        rest.remove_prefix(more + 1);
        return character;
    }
    rest.remove_prefix(1);
    return replacement_character;
}

std::string_view first_character(std::string_view text) {
    std::string_view rest = text;
    if (!rest.empty()) take_character(rest);
    return text.substr(0, text.size() - rest.size());
}

std::string as_utf8(std::string_view text) {
    std::string valid;
    while (!text.empty()) valid += utf8_of(take_character(text));
    return valid;
}

bool is_utf8(std::string_view text) {
    return as_utf8(text) == text;
}

std::string utf8_of(char32_t character) {
    std::size_t more = 0;
    while (more + 1 < leads.size() && character >= leads[more + 1].min) ++more;
    std::string text(more + 1, '\0');
    for (std::size_t i = more; i > 0; --i, character >>= 6) text[i] = static_cast<char>(0x80 | (character & 0x3f));
    text[0] = static_cast<char>(leads[more].mark | static_cast<unsigned char>(character));
    return text;
}

std::string printable(std::string_view text) {
    std::string shown;
    while (!text.empty()) {
        const char32_t c = take_character(text);
        const auto code = static_cast<unsigned>(c);
        shown += !controls_terminal(c) ? utf8_of(c)
                 : c < 0x100           ? fmt::format("\\x{:02x}", code)
                                       : fmt::format("\\u{:04x}", code);
    }
    return shown;
}

std::string brief(std::string_view text, std::size_t most) {
    std::string kept = without_middle(std::string(text), most);
    std::replace_if(
        kept.begin(), kept.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
    return without_middle(printable(kept), most);  // one control character becomes several bytes
}

}  // namespace ropewalk
