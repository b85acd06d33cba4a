// How an experiment is looked at: ink only. It stands under "view" in a scene.
#pragma once

#include <vector>

#include "app/figures/figures.h"

namespace ropewalk {

/// The shares of the window, each of what is left by those before.
struct Layout {
    double sidebar = 336;  // logical pixels
    double main = 0.68;    // of the width beside the sidebar: the middle panel and those below it
    double upper = 0.73;   // of the height of these
    double right_split = 0.5, bottom_split = 0.62;

    bool operator==(const Layout&) const = default;

    template <class S, class F>
    static void fields(S& s, F&& f) {
        f(Field{.name = "sidebar",
                .label = "Sidebar",
                .unit = "px",
                .least = 220,
                .greatest = 520,
                .help = "Width of the controls."},
          s.sidebar);
        f(Field{.name = "main",
                .label = "Middle",
                .least = 0.3,
                .greatest = 0.85,
                .help = "Share of the width left of the right column."},
          s.main);
        f(Field{.name = "upper",
                .label = "Upper",
                .least = 0.3,
                .greatest = 0.88,
                .help = "Share of the height above the bottom row."},
          s.upper);
        f(Field{.name = "right_split",
                .label = "Right split",
                .least = 0.15,
                .greatest = 0.85,
                .help = "Share of the upper panel."},
          s.right_split);
        f(Field{.name = "bottom_split",
                .label = "Bottom split",
                .least = 0.15,
                .greatest = 0.85,
                .help = "Share of the left panel."},
          s.bottom_split);
    }
};

inline constexpr int panel_count = 5;  // the middle, two on the right, two below

struct View {
    Cursor cursor;
    bool cursor_locked = false;
    /// In the order of the panels; always panel_count of them.
    std::vector<Figure> figures{AttentionFigure{}, DecayFigure{}, ContributionsFigure{}, RotationHeatmapFigure{},
                                WavelengthsFigure{}};
    Layout layout;

    bool operator==(const View&) const = default;
};

}  // namespace ropewalk
