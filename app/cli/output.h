// Where results go: a file, written whole or not at all, or standard output.
#pragma once

#include <string>
#include <string_view>

namespace ropewalk {

/// Writes to the file, or to standard output for "-". Throws IoError.
void write_output(const std::string& path, std::string_view bytes);

}  // namespace ropewalk
