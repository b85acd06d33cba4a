// Bytes as printable characters, as GPT-2 writes its tokens: 'Ġ' is a space.
#pragma once

#include <string>
#include <string_view>

namespace ropewalk {

/// Returns the text with one printable character per byte.
std::string as_byte_characters(std::string_view bytes);

/// Returns the bytes that a token's characters are; the token itself if one of them is no such character.
std::string from_byte_characters(std::string_view token);

}  // namespace ropewalk
