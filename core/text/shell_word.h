// A text quoted for a shell.
#pragma once

#include <string>

namespace ropewalk {

/// Returns the text quoted as one word of a shell command.
std::string shell_word(const std::string& text);

}  // namespace ropewalk
