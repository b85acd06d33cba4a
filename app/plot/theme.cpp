#include "app/plot/theme.h"

#include <array>
#include <cmath>

namespace ropewalk {
namespace {

constexpr Color rgb(unsigned value) {
    return {static_cast<std::uint8_t>(value >> 16 & 0xff), static_cast<std::uint8_t>(value >> 8 & 0xff),
            static_cast<std::uint8_t>(value & 0xff)};
}

// The first colours of the series are blue and orange; the others were chosen by a search that maximises the minimum
// distance (in OKLab) between any two of them, and from greys, under normal vision, protanopia, deuteranopia and
// tritanopia, with a contrast of at least 3:1 against the background. The dark theme's purple is lighter than the
// search's result (4.2:1 instead of 3.1:1), because thin lines in it looked dim.
constexpr Theme dark{
    .id = "dark",
    .window = rgb(0x171b21),
    .panel = rgb(0x14171c),
    .panel_border = rgb(0x262b34),
    .control = rgb(0x232831),
    .control_hovered = rgb(0x2c323d),
    .control_active = rgb(0x363d4a),
    .control_fill = rgb(0x314567),
    .accent = rgb(0x5b94ff),
    .accent_text = rgb(0xffffff),
    .text = rgb(0xe9ecf2),
    .text_dim = rgb(0xa4acb9),
    .text_faint = rgb(0x79818f),
    .plot_background = rgb(0x14171c),
    .axis = rgb(0x4a5263),
    .grid = rgb(0x20242c),
    .masked = rgb(0x1f242c),
    .hatch = rgb(0x262c35),
    .not_a_number = rgb(0xc14b5a),
    .cursor = rgb(0xa9b4c8),
    .warning = rgb(0xf2b354),
    .series = {rgb(0x5b94ff), rgb(0xffa244), rgb(0x4ed9cc), rgb(0xf34f9f), rgb(0xc7fb00), rgb(0xc048c0), rgb(0x9418f2),
               rgb(0x42840a)},
};

constexpr Theme light{
    .id = "light",
    .window = rgb(0xf4f5f7),
    .panel = rgb(0xffffff),
    .panel_border = rgb(0xe3e6eb),
    .control = rgb(0xeef1f6),
    .control_hovered = rgb(0xe4e9f1),
    .control_active = rgb(0xd8dfea),
    .control_fill = rgb(0xbcd0f3),
    .accent = rgb(0x2463eb),
    .accent_text = rgb(0xffffff),
    .text = rgb(0x1a1f29),
    .text_dim = rgb(0x5c6675),
    .text_faint = rgb(0x858d9b),
    .plot_background = rgb(0xffffff),
    .axis = rgb(0xa3acbb),
    .grid = rgb(0xedeff3),
    .masked = rgb(0xf1f2f4),
    .hatch = rgb(0xe6e8ec),
    .not_a_number = rgb(0xe0566a),
    .cursor = rgb(0x4d586b),
    .warning = rgb(0xb25e00),
    .series = {rgb(0x2463eb), rgb(0xd17a00), rgb(0x315f1a), rgb(0xca025c), rgb(0xaf7cd4), rgb(0x8f44a0), rgb(0x5e1121),
               rgb(0x001c86)},
};

const Theme paper = [] {
    constexpr Color black = rgb(0x000000), white = rgb(0xffffff);
    Theme theme = light;
    theme.id = "paper";
    theme.window = theme.panel = theme.plot_background = white;
    theme.text = theme.text_dim = theme.axis = theme.cursor = black;
    theme.text_faint = rgb(0x6b6b6b);
    theme.grid = rgb(0x000000);
    theme.warning = rgb(0x8a4b00);
    theme.masked = white, theme.hatch = rgb(0xe6e6e6);
    theme.is_paper = true;
    // Dark blue and lighter orange, which differ in greyscale, too.
    theme.series[0] = rgb(0x1b4fa8), theme.series[1] = rgb(0xd9730d);
    theme.title_size = theme.label_size;
    return theme;
}();

}  // namespace

const Theme& paper_theme() {
    return paper;
}
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

Stroke Theme::curve(std::size_t place) const {
    constexpr std::size_t colors = std::tuple_size_v<decltype(series)> - 1;
    constexpr std::array<double, 3> widths{1.5, 3, 0.75};
    const Color color = series[series_of_curve(place)];
    if (place == 0) return {.color = color, .width = curve_width};
    // On paper, which may be grey, a smooth curve is dashed; an oscillating one is drawn solid in any case.
    const Dashes dash = is_paper ? Dashes{9, 3} : Dashes{};
    return {.color = color, .width = widths[(place - 1) / colors % widths.size()], .dash = dash};
}

Color Theme::ground() const {
    return plot_background.a > 0 ? plot_background : theme_called(id, light_theme()).plot_background;
}

Color Theme::faded(const Color& color, double share) const {
    const Color ground = this->ground();
    const auto mixed = [share](std::uint8_t part, std::uint8_t of_ground) {
        return static_cast<std::uint8_t>(std::lround(share * part + (1 - share) * of_ground));
    };
    return {mixed(color.r, ground.r), mixed(color.g, ground.g), mixed(color.b, ground.b)};
}

}  // namespace ropewalk
