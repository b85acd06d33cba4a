// Averaging of cells that are smaller than pixels.
#pragma once

#include "app/plot/canvas.h"

namespace ropewalk {

/// Returns the image reduced to width × height pixels, neither larger than before. Each pixel is the mean of the cells
/// that it covers, weighted by covered area and opacity.
Image mixed_cells(const Image& image, int width, int height);

}  // namespace ropewalk
