// Colours and sizes of figures and window: one type with two instances.
#pragma once

#include <array>
#include <string_view>

#include "app/plot/canvas.h"

namespace ropewalk {

struct Theme {
    std::string_view id;                // "light" or "dark"
    Color window, panel, panel_border;  // background of the window and of the panels
    Color control, control_hovered, control_active, control_fill, accent, accent_text;
    Color text, text_dim, text_faint;
    Color plot_background, axis, grid, minor_grid;
    Color masked, hatch, not_a_number, cursor, warning;
    std::array<Color, 8> series;  // colours of curves, distinguishable with colour-vision deficiencies
    double title_size = 13, label_size = 12, tick_size = 11;  // em, logical pixels

    /// Number of distinct curve styles in one plot; any two differ in colour or dashes.
    static constexpr std::size_t curves = 22;
    /// Returns a curve style. The first is solid, for the head itself; the others are dashed, for comparisons.
    /// Consecutive curves differ in colour and dashes, and the first six all differ in their dashes. Colours repeat
    /// after seven curves with other dashes; the most similar colours never share dashes. Styles repeat after `curves`.
    Stroke curve(std::size_t place, double width = 1.5) const;
    /// Returns the index of a curve's colour in `series`.
    static constexpr std::size_t series_of_curve(std::size_t place) {
        return place == 0 ? 0 : 1 + (place - 1) % (std::tuple_size_v<decltype(series)> - 1);
    }

    /// Returns a colour mixed with the plot's background. Unlike a translucent line, the result is not darker where a
    /// line crosses itself.
    Color faded(const Color& color, double share) const;
};

const Theme& light_theme();
const Theme& dark_theme();
/// Returns the theme with that id, or `otherwise`.
const Theme& theme_called(std::string_view id, const Theme& otherwise);

}  // namespace ropewalk
