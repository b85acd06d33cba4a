// Keys by their names, for the robot.
#pragma once

#include <optional>
#include <string_view>

#include "app/window/surface/keys.h"

namespace ropewalk {

/// Parses what `name_of` returns, in any case; empty if it is not a key.
std::optional<KeyPress> parse_key(std::string_view name);

}  // namespace ropewalk
