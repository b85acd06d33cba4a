// The view of an experiment: figures, layout and cursor, without influence on the numbers. Stored as "view" in a scene.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/figures/figures.h"

namespace ropewalk {

inline constexpr int most_places = 5;             // the main figure's, two to the right of it, two below it
inline constexpr int most_panels = 10;            // several can share a place
inline constexpr int most_presenter_fields = 32;  // in a scene; the window shows at most four

/// The borders between places, from the outermost. A border whose second side would be empty does not exist.
enum class Border { right, bottom, right_rows, bottom_columns };

/// How the window is divided. Each share is a fraction of what the previous ones leave.
struct Layout {
    static constexpr double usual_share = 0.5, min_share = 0.1;  // the first panel's share of a place with two
    static constexpr double min_sidebar = 220, max_sidebar = 520;

    double sidebar = 352;  // logical pixels
    double main = 0.66;    // the main figure and those below it: share of the width beside the sidebar
    double upper = 0.68;   // the main figure: share of their height
    double right_split = 0.5, bottom_split = 0.5;
    std::vector<double> shared{};  // by place: the first panel's share where two panels share the place
    int maximised = -1;            // the maximised panel; -1: none

    bool operator==(const Layout&) const = default;

    double& share_at(Border border) {
        return border == Border::right        ? main
               : border == Border::bottom     ? upper
               : border == Border::right_rows ? right_split
                                              : bottom_split;
    }
    double share_in(int place) const {
        const auto at = static_cast<std::size_t>(place);
        return at < shared.size() ? shared[at] : usual_share;
    }
    void set_share_in(int place, double share) {
        const auto at = static_cast<std::size_t>(place);
        if (shared.size() <= at) shared.resize(at + 1, usual_share);
        shared[at] = share;
        while (!shared.empty() && shared.back() == usual_share) shared.pop_back();
    }

    static void fields(auto& s, auto&& f) {
        f(Field{.name = "sidebar",
                .label = "Sidebar",
                .unit = "px",
                .min = min_sidebar,
                .max = max_sidebar,
                .help = "Width of the controls."},
          s.sidebar);
        f(Field{.name = "main",
                .label = "Main figure",
                .min = 0.3,
                .max = 0.85,
                .help = "Share of the width to the left of the right column."},
          s.main);
        f(Field{.name = "upper",
                .label = "Upper",
                .min = 0.3,
                .max = 0.88,
                .help = "Share of the height above the bottom row."},
          s.upper);
        f(Field{.name = "right_split",
                .label = "Right split",
                .min = 0.15,
                .max = 0.85,
                .help = "Share of the upper panel."},
          s.right_split);
        f(Field{.name = "bottom_split",
                .label = "Bottom split",
                .min = 0.15,
                .max = 0.85,
                .help = "Share of the left panel."},
          s.bottom_split);
        f(Field{.name = "shared",
                .label = "Shared places",
                .min = min_share,
                .max = 1 - min_share,
                .may_be_empty = true,
                .help = "For each place with two panels, the share of the first; 0.5 if not given."},
          s.shared);
        f(Field{.name = "maximised",
                .label = "Maximised",
                .min = -1,
                .max = most_panels - 1,
                .help = "Number of the maximised panel; −1: none."},
          s.maximised);
    }
};

/// The figures, their places, and how the window is divided among them. There is at least one figure. The first is the
/// main one; the others support it.
struct Arrangement {
    /// The figures of the panels: one for each place, then those that share one.
    std::vector<Figure> figures = usual_figures();
    std::vector<int> beside;  // for each of the latter: its place
    Layout layout;
    std::vector<std::string> presenter;  // paths of the fields whose sliders are shown while presenting

    bool operator==(const Arrangement&) const = default;

    int panels() const { return static_cast<int>(figures.size()); }
    /// Returns the number of places, from 1 to `most_places`.
    int places() const { return panels() - static_cast<int>(beside.size()); }
    Figure& figure(int panel) { return figures[static_cast<std::size_t>(panel)]; }
    const Figure& figure(int panel) const { return figures[static_cast<std::size_t>(panel)]; }
    /// Returns the place that a panel is in.
    int place_of(int panel) const {
        return panel < places() ? panel : beside[static_cast<std::size_t>(panel - places())];
    }
    /// Returns the panels that share a place.
    std::vector<int> panels_in(int place) const {
        std::vector<int> sharing;
        for (int panel = 0; panel < panels(); ++panel)
            if (place_of(panel) == place) sharing.push_back(panel);
        return sharing;
    }
    std::optional<int> maximised() const {
        return layout.maximised >= 0 && layout.maximised < panels() ? std::optional(layout.maximised) : std::nullopt;
    }
    int panels_in_sight() const { return maximised() ? 1 : panels(); }
    void toggle_maximised(int panel) { layout.maximised = maximised() == panel ? -1 : panel; }

    bool can_add() const { return panels() < most_panels; }
    bool can_close() const { return panels() > 1; }
    /// Adds a figure in a place of its own, or beside the last one if all places are taken. Returns its panel. Like
    /// `duplicate`, requires `can_add`.
    int add(Figure figure);
    /// Adds a copy of the panel's figure in the same place.
    void duplicate(int panel);
    void exchange(int panel, int other) { std::swap(figure(panel), figure(other)); }
    /// Removes a panel. A panel that shares its place takes it over; otherwise the later ones move up. Requires
    /// `can_close`.
    void close(int panel);
    /// Replaces all figures by these (at least one and at most `most_places`), in the usual layout.
    void show_only(std::vector<Figure> shown);
};

struct View : Arrangement {
    Cursor cursor;  // a locked cursor keeps its entry even while the head is too small for it: see Document::cursor
    bool cursor_locked = false;

    /// Moves the cursor when the experiment changes. A cursor on the last row stays on the last row. A locked cursor
    /// does not change, so that it returns as soon as the head is large enough again.
    void go_with(const Experiment& before, const Experiment& after) {
        if (cursor_locked) return;
        cursor = cursor.clamped(before);
        if (cursor.query == before.seq_len - 1) {
            if (cursor.key == cursor.query) cursor.key = after.seq_len - 1;
            cursor.query = after.seq_len - 1;
        }
        cursor = cursor.clamped(after);
    }

    bool operator==(const View&) const = default;
};

}  // namespace ropewalk
