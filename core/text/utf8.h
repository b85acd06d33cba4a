// Characters of UTF-8 text.
#pragma once

#include <string>
#include <string_view>

namespace ropewalk {

/// What stands for a byte that is no part of valid UTF-8.
constexpr char32_t replacement_character = U'\uFFFD';

/// Takes the first character off `rest`, which is not empty.
char32_t take_character(std::string_view& rest);

/// The character's UTF-8.
std::string utf8_of(char32_t character);

/// Whether a text is UTF-8 as RFC 3629 has it: no overlong forms, no surrogates, nothing above U+10FFFF.
bool is_utf8(std::string_view text);
/// The text with `replacement_character` for every byte that is no part of it.
std::string as_utf8(std::string_view text);

}  // namespace ropewalk
