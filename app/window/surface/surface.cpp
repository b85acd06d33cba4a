#include "app/window/surface/surface.h"

#include <epoxy/gl.h>

#include <algorithm>
#include <cmath>

namespace ropewalk {

Image Surface::read_pixels() const {
    const PixelSize size = framebuffer_size();
    Image image{size.width, size.height,
                std::vector<Color>(static_cast<std::size_t>(size.width) * static_cast<std::size_t>(size.height))};
    glPixelStorei(GL_PACK_ALIGNMENT, 4);
    glReadPixels(0, 0, size.width, size.height, GL_RGBA, GL_UNSIGNED_BYTE, image.pixels.data());
    // OpenGL's first row is the lowest.
    for (int top = 0, bottom = size.height - 1; top < bottom; ++top, --bottom)
        std::swap_ranges(image.pixels.begin() + std::ptrdiff_t{top} * size.width,
                         image.pixels.begin() + std::ptrdiff_t{top + 1} * size.width,
                         image.pixels.begin() + std::ptrdiff_t{bottom} * size.width);
    for (Color& pixel : image.pixels) pixel.a = 255;
    return image;
}

double scale_stated(double by_display) {
    const bool is_scale = std::isfinite(by_display) && by_display > 0;
    return is_scale ? std::clamp(by_display, smallest_scale, largest_scale) : 1;
}

OpenGlNeed window_opengl() {
    return {.major = 3, .minor = 3, .user = "the window", .instead = "'ropewalk figure', which needs no OpenGL"};
}

}  // namespace ropewalk
