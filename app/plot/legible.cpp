#include "app/plot/legible.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

namespace ropewalk {
namespace {

double luminance_of(Color color) {
    const auto light = [](std::uint8_t part) {
        const double value = part / 255.0;
        return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * light(color.r) + 0.7152 * light(color.g) + 0.0722 * light(color.b);
}

/// Returns the colour at `share` of the way from one to another; beyond it if the share is above 1.
Color on_the_way(Color from, Color to, double share) {
    const auto part = [&](std::uint8_t a, std::uint8_t b) {
        return static_cast<std::uint8_t>(std::lround(std::clamp(std::lerp(a / 1.0, b / 1.0, share), 0.0, 255.0)));
    };
    return {part(from.r, to.r), part(from.g, to.g), part(from.b, to.b), to.a};
}

/// Returns how far a colour can be moved away from the ground before a channel reaches its end; 1: not at all.
double max_strength(Color color, Color ground) {
    double most = 8;
    for (const auto& [own, of_ground] : {std::pair(color.r, ground.r), {color.g, ground.g}, {color.b, ground.b}})
        if (own != of_ground)
            most = std::min(most, ((own > of_ground ? 255.0 : 0.0) - of_ground) / (own / 1.0 - of_ground));
    return std::max(most, 1.0);
}

}  // namespace

double contrast(Color a, Color b) {
    const auto [darker, lighter] = std::minmax({luminance_of(a), luminance_of(b)});
    return (lighter + 0.05) / (darker + 0.05);
}

Color legible(Color color, Color ground) {
    constexpr int steps = 64;
    const Color black{0, 0, 0}, white{255, 255, 255};
    const double strength = max_strength(color, ground);
    Color tone = color;
    for (int step = 1; step <= steps && contrast(tone, ground) < text_contrast; ++step)
        tone = on_the_way(ground, color, 1 + (strength - 1) * step / steps);
    const Color strongest = tone, end = contrast(black, ground) > contrast(white, ground) ? black : white;
    for (int step = 1; step <= steps && contrast(tone, ground) < text_contrast; ++step)
        tone = on_the_way(strongest, {end.r, end.g, end.b, color.a}, step / static_cast<double>(steps));
    return tone;
}

}  // namespace ropewalk
