// Colours and sizes of figures and window; one value, two instances.
#pragma once

#include <array>
#include <string_view>

#include "app/plot/canvas.h"

namespace ropewalk {

struct Theme {
    std::string_view id;                // "light" or "dark"
    Color window, panel, panel_border;  // behind the panels, of the panels
    Color control, control_hovered, control_active, control_fill, accent, accent_text;
    Color text, text_dim, text_faint;
    Color plot_background, axis, grid, minor_grid;
    Color masked, hatch, not_a_number, cursor, warning;
    std::array<Color, 8> series;  // of curves, in order; distinguishable with colour-vision deficiency
    double title_size = 13, label_size = 12, tick_size = 11;  // em, logical pixels

    /// How many looks curves in one plot can have, each told from any other by its colour or its dashes.
    static constexpr std::size_t curves = 22;
    /// One of them: solid in the first colour is what is shown, dashed in one of the others what it is compared with.
    /// Curves that follow each other differ in both, the first six all in their dashes. Colours come again after seven,
    /// then with other dashes, and those that are the most alike never have the same; after `curves` all come again.
    Stroke curve(std::size_t place, double width = 1.5) const;
    /// Which of the series' colours it has.
    static constexpr std::size_t series_of_curve(std::size_t place) {
        return place == 0 ? 0 : 1 + (place - 1) % (std::tuple_size_v<decltype(series)> - 1);
    }

    /// A curve's colour mixed with the plot's ground: where a translucent line crosses itself it would be darker.
    Color faded(const Color& color, double share) const;
};

const Theme& light_theme();
const Theme& dark_theme();
/// The theme of that id, or `otherwise`.
const Theme& theme_called(std::string_view id, const Theme& otherwise);

}  // namespace ropewalk
