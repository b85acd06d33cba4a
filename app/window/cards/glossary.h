// The terms of the literature, and what they are called in Ropewalk.
#pragma once

#include <vector>

#include "app/window/cards/palette.h"

namespace ropewalk {

/// Returns one entry per term; none can be chosen.
std::vector<PaletteEntry> glossary();

}  // namespace ropewalk
