// Writes results to a file, atomically, or to standard output.
#pragma once

#include <string>
#include <string_view>

#include "core/cancel.h"

namespace ropewalk {

/// Thrown if the reader of standard output has closed the pipe, as `head` does once it has read enough.
struct NobodyReads {};

/// Writes to the file, or to standard output for "-". Throws IoError, NobodyReads and Cancelled; none leaves an
/// unfinished file.
void write_output(const std::string& path, std::string_view bytes, const Cancel& cancel = {});

/// Prints a sentence in one line on standard error. Ignores errors, because nobody could read about them.
void say(std::string sentence);

}  // namespace ropewalk
