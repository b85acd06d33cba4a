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
    Color plot_background, axis, grid;
    Color masked, hatch, not_a_number, cursor, warning;
    std::array<Color, 8> series;  // colours of curves, distinguishable with colour-vision deficiencies
    bool is_paper = false;        // axis lines with ticks in place of a grid, black labels
    double title_size = 16, label_size = 13, tick_size = 13;  // em, logical pixels

    /// Number of distinct curve styles in one plot; any two differ in colour or width.
    static constexpr std::size_t curves = 22;
    static constexpr double curve_width = 2;  // of the head itself
    /// Returns a curve style. The first is for the head itself; the others are for comparisons. All are solid, because
    /// dashes are illegible on a curve that oscillates. Colours repeat after seven curves with another width; styles
    /// repeat after `curves`.
    Stroke curve(std::size_t place) const;
    /// Returns the index of a curve's colour in `series`.
    static constexpr std::size_t series_of_curve(std::size_t place) {
        return place == 0 ? 0 : 1 + (place - 1) % (std::tuple_size_v<decltype(series)> - 1);
    }

    /// Returns the plot's background; on a transparent page, the background that the colours are made for.
    Color ground() const;

    /// Returns a colour mixed with the plot's background. Unlike a translucent line, the result is not darker where a
    /// line crosses itself.
    Color faded(const Color& color, double share) const;
};

const Theme& light_theme();
const Theme& dark_theme();
/// Returns the theme of figures for journals: black on white.
const Theme& paper_theme();
/// Returns the theme with that id, or `otherwise`.
const Theme& theme_called(std::string_view id, const Theme& otherwise);

}  // namespace ropewalk
