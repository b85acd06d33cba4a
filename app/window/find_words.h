// What is found by typing some words of it.
#pragma once

#include <string_view>

namespace ropewalk {

/// Whether the text holds every word, as a part of a word of its own; case does not matter.
bool holds_words(std::string_view text, std::string_view words);

}  // namespace ropewalk
