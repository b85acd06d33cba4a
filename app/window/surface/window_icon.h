// The program's icon, as the window shows it: drawn, so that no file need be there.
#pragma once

#include <vector>

#include "app/plot/canvas.h"

namespace ropewalk {

/// In the sizes that window managers and task bars ask for. Large ones are what assets/desktop/ropewalk.svg draws, in
/// small ones the same has fewer parts.
std::vector<Image> window_icons();

}  // namespace ropewalk
