// What splits the text into words, within which tokens are merged: one entry of a list each, in pre_tokenizer.cpp.
#pragma once

#include <functional>

#include "core/io/json_reader.h"
#include "core/models/tokenizer/tokenizer_piece.h"

namespace ropewalk {

/// Adds the parts of a piece of text.
using PreTokenizer = std::function<void(TokenizerPiece piece, TokenizerPieces& parts, Deadline deadline)>;

/// Reads the pre-tokenizer at `value`; null leaves pieces whole. Throws InputError with the place for what is not
/// supported.
PreTokenizer read_pre_tokenizer(const JsonValue& value);

}  // namespace ropewalk
