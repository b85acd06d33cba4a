#include "app/plot/color_vision.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace ropewalk {
namespace {

using Matrix = std::array<std::array<double, 3>, 3>;

constexpr std::array<Matrix, 5> sights{{
    {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
    {{{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}},
    {{{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}},
    {{{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}}},
    {{{0.2126, 0.7152, 0.0722}, {0.2126, 0.7152, 0.0722}, {0.2126, 0.7152, 0.0722}}},
}};

/// The inverse of sRGB's transfer function (IEC 61966-2-1), and the function itself.
double linear(double encoded) {
    return encoded <= 0.04045 ? encoded / 12.92 : std::pow((encoded + 0.055) / 1.055, 2.4);
}
double encoded(double linear) {
    return linear <= 0.0031308 ? linear * 12.92 : 1.055 * std::pow(linear, 1 / 2.4) - 0.055;
}

}  // namespace

Color as_seen(Color color, Sight sight) {
    static const std::array<double, 256> light = [] {
        std::array<double, 256> table{};
        for (std::size_t i = 0; i < table.size(); ++i) table[i] = linear(static_cast<double>(i) / 255);
        return table;
    }();
    if (sight == Sight::all_colors) return color;
    const Matrix& matrix = sights[static_cast<std::size_t>(sight)];
    const auto channel = [&](int row) {
        const auto& m = matrix[static_cast<std::size_t>(row)];
        const double seen = m[0] * light[color.r] + m[1] * light[color.g] + m[2] * light[color.b];
        return static_cast<std::uint8_t>(std::lround(255 * encoded(std::clamp(seen, 0.0, 1.0))));
    };
    return {channel(0), channel(1), channel(2), color.a};
}

Image as_seen(Image image, Sight sight) {
    if (sight == Sight::all_colors) return image;
    Color before, after = as_seen(before, sight);  // neighbours are often equal
    for (Color& pixel : image.pixels) {
        if (!(pixel == before)) before = pixel, after = as_seen(pixel, sight);
        pixel = after;
    }
    return image;
}

}  // namespace ropewalk
