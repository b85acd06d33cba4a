// How a picture looks to eyes that lack one of the three kinds of cones, or as shades of grey.
#pragma once

#include "app/plot/canvas.h"

namespace ropewalk {

enum class Sight { all_colors, protanopia, deuteranopia, tritanopia, grey };

/// Machado, Oliveira and Fernandes 2009 ("A physiologically-based model for simulation of color vision deficiency",
/// IEEE TVCG 15(6)), severity 1, in linear light; grey: the relative luminance of ITU-R BT.709.
Color as_seen(Color color, Sight sight);
Image as_seen(Image image, Sight sight);

}  // namespace ropewalk
