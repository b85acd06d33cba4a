#include "app/plot/mixed_cells.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace ropewalk {
namespace {

/// Red, green and blue times opacity, and opacity.
using Light = std::array<double, 4>;

/// What lies at [first + i·stride) for i = 0 … from − 1, as `to` means written likewise.
void mix(const Light* first, int from, Light* mixed, int to, std::ptrdiff_t stride) {
    const double covered = static_cast<double>(from) / to;
    for (int cell = 0; cell < to; ++cell) {
        const double low = cell * covered, high = (cell + 1) * covered;
        Light sum{};
        for (int i = static_cast<int>(low); i < std::min<double>(from, high); ++i) {
            const double share = (std::min<double>(i + 1, high) - std::max<double>(i, low)) / covered;
            for (std::size_t part = 0; part < sum.size(); ++part) sum[part] += share * first[i * stride][part];
        }
        mixed[cell * stride] = sum;
    }
}

Light light_of(Color color) {
    const double opacity = color.a / 255.0;
    return {color.r * opacity, color.g * opacity, color.b * opacity, opacity};
}
Color color_of(const Light& light) {
    if (!(light[3] > 0)) return {0, 0, 0, 0};
    const auto byte = [](double value) { return static_cast<std::uint8_t>(std::lround(std::min(value, 255.0))); };
    return {byte(light[0] / light[3]), byte(light[1] / light[3]), byte(light[2] / light[3]), byte(light[3] * 255)};
}

}  // namespace

Image mixed_cells(const Image& image, int width, int height) {
    if (width == image.width && height == image.height) return image;
    std::vector<Light> lights(image.pixels.size()), rows(lights.size()), all(lights.size());
    std::transform(image.pixels.begin(), image.pixels.end(), lights.begin(), light_of);
    const auto columns = static_cast<std::ptrdiff_t>(image.width);
    for (int row = 0; row < image.height; ++row)
        mix(&lights[static_cast<std::size_t>(row * columns)], image.width,
            &rows[static_cast<std::size_t>(row * columns)], width, 1);
    for (int column = 0; column < width; ++column)
        mix(&rows[static_cast<std::size_t>(column)], image.height, &all[static_cast<std::size_t>(column)], height,
            columns);
    Image mixed{width, height, {}};
    mixed.pixels.reserve(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
    for (int row = 0; row < height; ++row)
        std::transform(&all[static_cast<std::size_t>(row * columns)],
                       &all[static_cast<std::size_t>(row * columns)] + width, std::back_inserter(mixed.pixels),
                       color_of);
    return mixed;
}

}  // namespace ropewalk
