// Cutting and wrapping of text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/plot/canvas.h"

namespace ropewalk {

/// Returns the text, or as much of its beginning as fits with an ellipsis into `room` pixels; empty if no character
/// fits.
std::string elided(std::string_view utf8, double room, const TextStyle& style, const Canvas& canvas);

/// Returns whether `after` begins with three digits of the number that `before` ends with, as in 10 000.
bool continues_number(std::string_view before, std::string_view after);

/// Returns whether the character at this byte is a space that groups the digits of a number. It is drawn as U+202F.
bool groups_digits(std::string_view utf8, std::size_t at);

/// Return the units that a line break may not split: words and numbers, or clauses that end in a comma or before " · ".
std::vector<std::string> words_of(std::string_view utf8);
std::vector<std::string> clauses_of(std::string_view utf8);

/// Returns lines with as many pieces each as fit into `room` pixels; a piece that is too long gets its own line.
std::vector<std::string> wrapped(const std::vector<std::string>& pieces, double room, double size, Weight weight);

}  // namespace ropewalk
