#include "core/models/tokenizer/byte_level.h"

#include <array>

#include "core/text/utf8.h"

namespace ropewalk {
namespace {

constexpr char32_t end_of_characters = 256 + 68;  // 188 bytes are printable; the others follow U+00FF in order

struct Tables {
    std::array<std::string, 256> character;
    std::array<int, end_of_characters> byte;
};

Tables make_tables() {
    Tables tables;
    tables.byte.fill(-1);
    char32_t next = 256;
    for (int byte = 0; byte < 256; ++byte) {
        const bool printable = (byte > 32 && byte < 127) || (byte > 160 && byte != 173);
        const char32_t character = printable ? static_cast<char32_t>(byte) : next++;
        tables.character[byte] = utf8_of(character);
        tables.byte[character] = byte;
    }
    return tables;
}

const Tables& tables() {
    static const Tables made = make_tables();
    return made;
}

}  // namespace

std::string as_byte_characters(std::string_view bytes) {
    std::string text;
    for (const char byte : bytes) text += tables().character[static_cast<unsigned char>(byte)];
    return text;
}

std::string from_byte_characters(std::string_view token) {
    std::string bytes;
    for (std::string_view rest = token; !rest.empty();) {
        const char32_t character = take_character(rest);
        if (character >= end_of_characters || tables().byte[character] < 0) return std::string(token);
        bytes += static_cast<char>(tables().byte[character]);
    }
    return bytes;
}

}  // namespace ropewalk
