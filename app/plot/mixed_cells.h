// Images with cells that are smaller than pixels, or larger.
#pragma once

#include "app/plot/canvas.h"

namespace ropewalk {

/// Returns the image reduced to width × height pixels, neither larger than before. Each pixel is the mean of the cells
/// that it covers, weighted by covered area and opacity.
Image mixed_cells(const Image& image, int width, int height);

/// Returns the image with its pixels repeated so that those larger than a pixel of the page have at least 300 pixels
/// per inch, up to 4096 along each side. Programs that always smooth images (librsvg, Inkscape, some viewers of PDF)
/// then keep the edges of cells.
Image with_large_cells(const Image& image, const Rect& rect);

}  // namespace ropewalk
