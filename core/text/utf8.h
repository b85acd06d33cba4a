// core/text: UTF-8 (here: decodes, encodes and validates it), and suggestions for mistyped names.
#pragma once

#include <string>
#include <string_view>

namespace ropewalk {

/// Replaces a byte that is not part of valid UTF-8.
constexpr char32_t replacement_character = U'\uFFFD';

/// Removes the first character from `rest`, which must not be empty, and returns it.
char32_t take_character(std::string_view& rest);

/// Returns the first character of a text, or the byte there that is not part of valid UTF-8; empty for an empty text.
std::string_view first_character(std::string_view text);

/// Returns the character as UTF-8.
std::string utf8_of(char32_t character);

/// Returns whether a text is UTF-8 as in RFC 3629: no overlong forms, no surrogates, nothing above U+10FFFF.
bool is_utf8(std::string_view text);
/// Returns the text with `replacement_character` for every byte that is not valid UTF-8.
std::string as_utf8(std::string_view text);

/// Returns a text from elsewhere as a terminal may show it: valid UTF-8 in which characters that would control the
/// terminal or the direction of writing read as in "\x1b" and "\u202e". Newlines stay.
std::string printable(std::string_view text);
/// Returns the text in one line and with its middle left out, so that it has at most about `most` bytes, and printable.
std::string brief(std::string_view text, std::size_t most = 1000);

}  // namespace ropewalk
