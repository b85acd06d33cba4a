// What turns tokens back into text: one entry of a list each, in decoder.cpp.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/io/json_reader.h"

namespace ropewalk {

/// Of which tokens the text is wanted. Only a whole text loses the space that encoding put before it; a part may end
/// within a character, so it is bytes.
enum class DecodedExtent { whole, part };

/// Replaces the tokens by texts, which are then joined.
using Decoder = std::function<void(std::vector<std::string>& tokens, DecodedExtent extent)>;

/// Reads the decoder at `value`; null joins a whole text's tokens with spaces. Throws InputError with the place for
/// what is not supported.
Decoder read_decoder(const JsonValue& value);

}  // namespace ropewalk
