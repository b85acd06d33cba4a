// What changes the text before it is split: one entry of a list each, in normalizer.cpp.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "core/io/json_reader.h"
#include "core/models/tokenizer/tokenizer_piece.h"

namespace ropewalk {

/// Changes a piece. Throws LimitError if it would become too long, or if that takes longer than the deadline.
using Normalizer = std::function<void(TokenizerPiece& piece, Deadline deadline)>;

/// Reads the normalizer at `value`; null changes nothing. Throws InputError with the place for what is not supported.
Normalizer read_normalizer(const JsonValue& value);

/// Returns the pattern {"Regex": …} or {"String": …}.
Regex read_pattern(const JsonValue& value);

}  // namespace ropewalk
