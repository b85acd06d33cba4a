// Simulation of colour-vision deficiencies and of greyscale printing.
#pragma once

#include "app/plot/canvas.h"

namespace ropewalk {

enum class Sight { all_colors, protanopia, deuteranopia, tritanopia, grey };

/// Return the colours as seen with a deficiency: Machado, Oliveira and Fernandes 2009 ("A physiologically-based model
/// for simulation of color vision deficiency", IEEE TVCG 15(6)), severity 1, in linear light. Grey is the relative
/// luminance of ITU-R BT.709.
Color as_seen(Color color, Sight sight);
Image as_seen(Image image, Sight sight);

}  // namespace ropewalk
