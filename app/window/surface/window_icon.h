// The program's icon, drawn by code so that no file is needed.
#pragma once

#include <vector>

#include "app/plot/canvas.h"

namespace ropewalk {

/// Returns the icon in the sizes that window managers and task bars ask for. Large ones match
/// assets/desktop/ropewalk.svg; small ones have fewer parts.
std::vector<Image> window_icons();

}  // namespace ropewalk
