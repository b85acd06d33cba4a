// Texts cut to the room they have.
#pragma once

#include <string>
#include <string_view>

#include "app/plot/canvas.h"

namespace ropewalk {

/// The text, or as much of its beginning as fits into `room` pixels before an ellipsis; empty if not even a character
/// does.
std::string elided(std::string_view utf8, double room, const TextStyle& style, const Canvas& canvas);

}  // namespace ropewalk
