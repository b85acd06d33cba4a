// PNG files in memory.
#include <png.h>

#include <algorithm>
#include <cmath>
#include <csetjmp>
#include <vector>

#include "app/plot/export.h"
#include "core/error.h"

namespace ropewalk {
namespace {

constexpr std::size_t most_pixels_a_side = 1'000'000;  // libpng's own limit

struct PngWriting {
    png_uint_32 width = 0, height = 0;
    int color_type = PNG_COLOR_TYPE_RGBA;
    png_uint_32 pixels_per_metre = 0;
    std::vector<png_byte*> rows;
    std::string scene;
    std::string file;
};

void append(png_structp png, png_bytep data, std::size_t size) {
    bool is_appended = true;
    try {
        static_cast<PngWriting*>(png_get_io_ptr(png))->file.append(reinterpret_cast<const char*>(data), size);
    } catch (const std::bad_alloc&) {
        is_appended = false;
    }
    if (!is_appended) png_error(png, "out of memory");  // not within the handler, which it would leave open
}

void fail(png_structp png, png_const_charp) {
    png_longjmp(png, 1);
}
void ignore(png_structp, png_const_charp) {}

/// Writes the file. Only trivial locals are allowed here, because libpng uses longjmp on errors.
bool write(PngWriting& writing) {
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, fail, ignore);
    if (!png) return false;
    png_infop info = png_create_info_struct(png);
    if (!info || setjmp(png_jmpbuf(png))) {
        png_destroy_write_struct(&png, &info);
        return false;
    }
    png_set_write_fn(png, &writing, append, nullptr);
    png_set_IHDR(png, info, writing.width, writing.height, 8, writing.color_type, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_set_pHYs(png, info, writing.pixels_per_metre, writing.pixels_per_metre, PNG_RESOLUTION_METER);
    char key[] = "ropewalk", none[] = "";
    png_text text{};
    text.compression = PNG_ITXT_COMPRESSION_NONE;
    text.key = key;
    text.text = writing.scene.data();
    text.itxt_length = writing.scene.size();
    text.lang = none;
    text.lang_key = none;
    if (!writing.scene.empty()) png_set_text(png, info, &text, 1);
    png_write_info(png, info);
    if (writing.color_type == PNG_COLOR_TYPE_RGB) png_set_filler(png, 0, PNG_FILLER_AFTER);
    png_write_image(png, writing.rows.data());
    png_write_end(png, nullptr);
    png_destroy_write_struct(&png, &info);
    return true;
}

}  // namespace

std::string png_bytes(const Image& image, const std::string& scene, double scale) {
    const auto width = static_cast<std::size_t>(image.width), height = static_cast<std::size_t>(image.height);
    if (image.width <= 0 || image.height <= 0 || width > most_pixels_a_side || height > most_pixels_a_side)
        throw LimitError("A PNG image must be between 1 and 1 000 000 pixels wide and high.");
    ensure(image.pixels.size() == width * height, "an image has width × height pixels");
    static_assert(sizeof(Color) == 4, "colours are the file's RGBA bytes");

    PngWriting writing;
    writing.width = static_cast<png_uint_32>(width);
    writing.height = static_cast<png_uint_32>(height);
    const bool opaque = std::all_of(image.pixels.begin(), image.pixels.end(), [](Color c) { return c.a == 255; });
    if (opaque) writing.color_type = PNG_COLOR_TYPE_RGB;
    writing.pixels_per_metre = static_cast<png_uint_32>(std::lround(96 * scale / 0.0254));
    writing.scene = scene;
    // libpng does not modify the row, although its interface lacks const.
    auto* bytes = reinterpret_cast<png_byte*>(const_cast<Color*>(image.pixels.data()));
    for (std::size_t row = 0; row < height; ++row) writing.rows.push_back(bytes + row * width * sizeof(Color));
    if (!write(writing)) throw LimitError("There is not enough memory to write this PNG image.");
    return std::move(writing.file);
}

}  // namespace ropewalk
