// Cells that are finer than the pixels they are drawn on.
#pragma once

#include "app/plot/canvas.h"

namespace ropewalk {

/// The image with so many columns and rows, no more than it has: each is the mean of those that it covers, which count
/// by how much of them it covers and by their opacity.
Image mixed_cells(const Image& image, int width, int height);

}  // namespace ropewalk
