// Spaces as a printable character, as SentencePiece writes its tokens: '▁' is a space.
#pragma once

#include <string>

#include "core/io/json_reader.h"

namespace ropewalk {

/// How a Metaspace pre-tokenizer or decoder writes spaces.
struct Metaspace {
    enum class Prepend { always, first, never };

    std::string replacement;            // one character
    Prepend prepend = Prepend::always;  // where a text that begins without a space gets one
    bool split = true;                  // whether the text is cut before each space
};

/// Reads it, also with the old member `add_prefix_space`. Throws InputError with the place.
Metaspace read_metaspace(const JsonValue& value);

}  // namespace ropewalk
