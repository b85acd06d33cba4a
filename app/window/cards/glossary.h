// What the literature calls things, and what they are called here.
#pragma once

#include <vector>

#include "app/window/cards/palette.h"

namespace ropewalk {

/// One entry a term; none can be chosen.
std::vector<PaletteEntry> glossary();

}  // namespace ropewalk
