#include "app/plot/theme.h"

#include <array>
#include <cmath>

namespace ropewalk {
namespace {

constexpr Color rgb(unsigned value) {
    return {static_cast<std::uint8_t>(value >> 16 & 0xff), static_cast<std::uint8_t>(value >> 8 & 0xff),
            static_cast<std::uint8_t>(value & 0xff)};
}

// The series colours were chosen by a search that maximises the minimum distance (in OKLab) between any two of them
// under normal vision, protanopia, deuteranopia and tritanopia, with the highest weight on the first four. The last one
// had the lowest contrast or was too similar to the first, so it was replaced by one with a contrast of at least 3:1
// against the background.
constexpr Theme dark{
    .id = "dark",
    .window = rgb(0x14161b),
    .panel = rgb(0x1c1f26),
    .panel_border = rgb(0x2b303a),
    .control = rgb(0x272b35),
    .control_hovered = rgb(0x303542),
    .control_active = rgb(0x3a4150),
    .control_fill = rgb(0x314567),
    .accent = rgb(0x4f8ff7),
    .accent_text = rgb(0xffffff),
    .text = rgb(0xdde2ec),
    .text_dim = rgb(0x8b94a5),
    .text_faint = rgb(0x6a7384),
    .plot_background = rgb(0x181b21),
    .axis = rgb(0x4a5263),
    .grid = rgb(0x2b303a),
    .minor_grid = rgb(0x20242c),
    .masked = rgb(0x272b35),
    .hatch = rgb(0x2e333e),
    .not_a_number = rgb(0xc14b5a),
    .cursor = rgb(0xa9b4c8),
    .warning = rgb(0xf2b354),
    .series = {rgb(0x6a98ff), rgb(0xffa244), rgb(0x53d5aa), rgb(0xd0608c), rgb(0xfddd5e), rgb(0xb1befa), rgb(0xd1ddf4),
               rgb(0x7c9020)},
};

constexpr Theme light{
    .id = "light",
    .window = rgb(0xe9ecf1),
    .panel = rgb(0xffffff),
    .panel_border = rgb(0xe3e7ee),
    .control = rgb(0xeef1f6),
    .control_hovered = rgb(0xe4e9f1),
    .control_active = rgb(0xd8dfea),
    .control_fill = rgb(0xbcd0f3),
    .accent = rgb(0x2f6fed),
    .accent_text = rgb(0xffffff),
    .text = rgb(0x1d2430),
    .text_dim = rgb(0x667085),
    .text_faint = rgb(0x858ea0),
    .plot_background = rgb(0xfbfcfe),
    .axis = rgb(0xa3acbb),
    .grid = rgb(0xe3e7ee),
    .minor_grid = rgb(0xf0f2f6),
    .masked = rgb(0xeef1f6),
    .hatch = rgb(0xe1e6ed),
    .not_a_number = rgb(0xe0566a),
    .cursor = rgb(0x4d586b),
    .warning = rgb(0xb25e00),
    .series = {rgb(0x1b56b9), rgb(0xce7c0a), rgb(0x279a76), rgb(0xb42b84), rgb(0x916d13), rgb(0x6f6ad4), rgb(0x475157),
               rgb(0x1a9bdb)},
};

// The dashes of the reference and of handles are even, so none of these match them.
const std::array<Dashes, 6> dashes{{{9, 3}, {9, 3, 2, 3}, {4, 2.5}, {9, 2.5, 2, 2.5, 2, 2.5}, {2, 3}, {14, 3, 4, 3}}};

}  // namespace

const Theme& light_theme() {
    return light;
}
const Theme& dark_theme() {
    return dark;
}

const Theme& theme_called(std::string_view id, const Theme& otherwise) {
    for (const Theme* theme : {&light_theme(), &dark_theme()})
        if (theme->id == id) return *theme;
    return otherwise;
}

Stroke Theme::curve(std::size_t place, double width) const {
    const Color color = series[series_of_curve(place)];
    if (place == 0) return {.color = color, .width = width};
    constexpr std::size_t colors = std::tuple_size_v<decltype(series)> - 1;
    const std::size_t nth = place - 1, round = nth / colors % 3;
    return {.color = color, .width = width, .dash = dashes[(nth % (3 * colors) + 3 * round) % dashes.size()]};
}

Color Theme::faded(const Color& color, double share) const {
    const Color ground = plot_background.a > 0 ? plot_background : theme_called(id, light_theme()).plot_background;
    const auto mixed = [share](std::uint8_t part, std::uint8_t of_ground) {
        return static_cast<std::uint8_t>(std::lround(share * part + (1 - share) * of_ground));
    };
    return {mixed(color.r, ground.r), mixed(color.g, ground.g), mixed(color.b, ground.b)};
}

}  // namespace ropewalk
