#include "app/window/surface.h"

#include <epoxy/gl.h>
#include <fmt/format.h>

#include <algorithm>

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

DisplayError opengl_too_old(const std::string& found) {
    return DisplayError(
        fmt::format("OpenGL {} was found, but the window needs 3.3 or later; update the graphics driver, or use "
                    "'ropewalk figure', which works without a display",
                    found));
}

}  // namespace ropewalk
