#include "core/text/utf8.h"

#include <array>

namespace ropewalk {
namespace {

struct Lead {
    unsigned char mask, mark;  // a lead byte is one with (byte & mask) == mark
    char32_t min;              // smaller characters would be an overlong form
};

constexpr std::array<Lead, 4> leads{{{0x80, 0x00, 0}, {0xe0, 0xc0, 0x80}, {0xf0, 0xe0, 0x800}, {0xf8, 0xf0, 0x10000}}};

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

}  // namespace ropewalk
