// Texts cut to the room they have, or set in lines.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/plot/canvas.h"

namespace ropewalk {

/// The text, or as much of its beginning as fits into `room` pixels before an ellipsis; empty if not even a character
/// does.
std::string elided(std::string_view utf8, double room, const TextStyle& style, const Canvas& canvas);

/// What may not be parted: words, or clauses that end in a comma or before " · ".
std::vector<std::string> words_of(std::string_view utf8);
std::vector<std::string> clauses_of(std::string_view utf8);

/// As many of the pieces in each line as fit into `room` pixels; one that is too long has its line to itself.
std::vector<std::string> wrapped(const std::vector<std::string>& pieces, double room, double size, Weight weight);

}  // namespace ropewalk
