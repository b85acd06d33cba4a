// Writes results to a file, atomically, or to standard output.
#pragma once

#include <string>
#include <string_view>

#include "core/cancel.h"
#include "core/io/json_reader.h"

namespace ropewalk {

/// Thrown if the reader of standard output has closed the pipe, as `head` does once it has read enough.
struct NobodyReads {};

/// Writes to the file, or to standard output for "-". Throws IoError, NobodyReads and Cancelled; none leaves an
/// unfinished file.
void write_output(const std::string& path, std::string_view bytes, const Cancel& cancel = {});

/// Prints a text for people on standard output, without what would control their terminal. Throws IoError and
/// NobodyReads.
void print(std::string_view text);

/// Prints a document on standard output, indented and in ASCII, so that no text in it controls a terminal. Throws
/// IoError and NobodyReads.
void print_json(const nlohmann::json& document);

/// Prints a sentence in one line of limited length on standard error. Ignores errors, because nobody could read about
/// them.
void say(const std::string& sentence);

}  // namespace ropewalk
