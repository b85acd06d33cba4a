// Colours of pairs, and wavelengths above an axis of pairs.
#pragma once

#include "app/figures/figure.h"
#include "core/analysis/encodings/rotation.h"

namespace ropewalk {

/// Returns a pair's colour, from dark (fast) to bright (slow), limited at both ends to contrast with the background.
inline Color color_of_pair(std::size_t pair, std::size_t pairs, const Theme& theme) {
    const std::size_t last = std::max<std::size_t>(pairs, 2) - 1;
    const bool is_dark = theme.id == dark_theme().id;  // the darkest colours are invisible on a dark background
    const std::size_t begin = is_dark ? 84 : 20, range = is_dark ? 160 : 180;
    return table_of(ColorMap::viridis)[begin + pair * range / last];
}

/// Returns the colours of all pairs, pale for pairs that are not rotated.
inline std::vector<Color> colors_of_pairs(const LoweredEncoding& lowered, const Theme& theme) {
    std::vector<Color> colors;
    for (std::size_t pair = 0; pair < lowered.inv_freq.size(); ++pair)
        colors.push_back(lowered.inv_freq[pair] == 0 ? theme.text_faint
                                                     : color_of_pair(pair, lowered.inv_freq.size(), theme));
    return colors;
}

inline constexpr double wavelength_marks_height = 27;  // logical pixels

/// Draws the powers of ten among the wavelengths above the frame's plot, between the pairs where they occur, with the
/// title beside them.
inline void draw_wavelength_marks(const LoweredEncoding& lowered, const Frame& frame, Canvas& canvas,
                                  const Theme& theme) {
    constexpr double gap = 10, to_name = 8;
    const auto lengths = wavelengths(lowered);
    TextStyle style{.size = theme.tick_size, .color = theme.text_dim};
    const double y = frame.plot.y - wavelength_marks_height / 2 - 3;
    const auto width = [&](std::string_view text) { return canvas.measure(text, style.size, style.weight).width; };
    double free = frame.plot.x;  // from here on
    for (std::size_t pair = 0; pair + 1 < lengths.size(); ++pair) {
        if (!std::isfinite(lengths[pair + 1]) || !(lengths[pair] < lengths[pair + 1])) continue;
        const int exponent = static_cast<int>(std::ceil(std::log10(lengths[pair])));
        const double length = std::pow(10, exponent);
        if (length >= lengths[pair + 1]) continue;
        const double at =
            static_cast<double>(pair) + std::log(length / lengths[pair]) / std::log(lengths[pair + 1] / lengths[pair]);
        const bool is_first = free == frame.plot.x;
        const std::string number = power_of_ten(exponent), text = is_first ? number + " tokens" : number;
        const double x = frame.to_pixels(at, 0).x, left = x - width(number) / 2, right = left + width(text);
        if (left < free || right > frame.plot.right()) continue;
        canvas.line({x, frame.plot.y - 3}, {x, frame.plot.y}, {.color = theme.axis, .width = 1});
        canvas.text({left, y}, text, style);
        free = right + gap;
    }
    const char* name = "$2\\pi/w_t$";
    style.across = Align::end;
    if (free > frame.plot.x && frame.plot.x - to_name - width(name) >= frame.outer.x)
        canvas.text({frame.plot.x - to_name, y}, name, style);
}

}  // namespace ropewalk
