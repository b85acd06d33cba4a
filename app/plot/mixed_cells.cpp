#include "app/plot/mixed_cells.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <vector>

namespace ropewalk {
namespace {

/// Red, green and blue, each times opacity, and opacity.
using Light = std::array<double, 4>;

void add(Light& sum, const Light& light, double share) {
    for (std::size_t part = 0; part < sum.size(); ++part) sum[part] += share * light[part];
}

/// Calls f(cell, share) for each of `count` cells that pixel `at` of `shown` covers. The shares add up to 1.
template <class F>
void for_each_covered(int at, int shown, int count, F&& f) {
    const double covered = static_cast<double>(count) / shown, low = at * covered, high = (at + 1) * covered;
    for (int cell = static_cast<int>(low); cell < std::min<double>(count, high); ++cell)
        f(cell, (std::min<double>(cell + 1, high) - std::max<double>(cell, low)) / covered);
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
    Image mixed{width, height, {}};
    mixed.pixels.reserve(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
    std::vector<Light> sums(static_cast<std::size_t>(width));
    for (int row = 0; row < height; ++row) {
        std::fill(sums.begin(), sums.end(), Light{});
        for_each_covered(row, height, image.height, [&](int covered_row, double of_row) {
            const auto first = image.pixels.begin() + static_cast<std::ptrdiff_t>(covered_row) * image.width;
            for (int column = 0; column < width; ++column)
                for_each_covered(column, width, image.width, [&](int covered_column, double of_column) {
                    add(sums[static_cast<std::size_t>(column)], light_of(first[covered_column]), of_row * of_column);
                });
        });
        std::transform(sums.begin(), sums.end(), std::back_inserter(mixed.pixels), color_of);
    }
    return mixed;
}

Image with_large_cells(const Image& image, const Rect& rect) {
    static constexpr double sharp = 4, enough = 4096;  // image pixels per page pixel; along a side
    const auto times = [](double length, int pixels) {
        const double wanted = std::ceil(sharp * length / pixels), possible = std::floor(enough / pixels);
        return pixels < length ? static_cast<int>(std::max(1.0, std::min(wanted, possible))) : 1;
    };
    const int across = times(rect.width, image.width), down = times(rect.height, image.height);
    if (across == 1 && down == 1) return image;
    Image large{image.width * across, image.height * down, {}};
    large.pixels.reserve(static_cast<std::size_t>(large.width) * static_cast<std::size_t>(large.height));
    for (int y = 0; y < large.height; ++y)
        for (int x = 0; x < large.width; ++x)
            large.pixels.push_back(
                image.pixels[static_cast<std::size_t>(y / down) * image.width + static_cast<std::size_t>(x / across)]);
    return large;
}

}  // namespace ropewalk
