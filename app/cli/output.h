// Where results go: a file, written whole or not at all, or standard output.
#pragma once

#include <string>
#include <string_view>

#include "core/cancel.h"

namespace ropewalk {

/// Standard output is a pipe that its reader has closed, as `head` does once it has read enough.
struct NobodyReads {};

/// Writes to the file, or to standard output for "-". Throws IoError, NobodyReads, and Cancelled without leaving
/// anything behind.
void write_output(const std::string& path, std::string_view bytes, const Cancel& cancel = {});

/// Says it in one line on standard error. Where that cannot be written to nobody listens.
void say(std::string sentence);

}  // namespace ropewalk
