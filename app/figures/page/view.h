// How an experiment is looked at: ink only. It stands under "view" in a scene.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "app/figures/figures.h"

namespace ropewalk {

inline constexpr int panel_count = 5;   // the middle, two on the right, two below
inline constexpr int most_panels = 10;  // with their duplicates

/// The shares of the window, each of what is left by those before.
struct Layout {
    static constexpr double usual_share = 0.5, min_share = 0.1;  // of a place that two panels share

    double sidebar = 336;  // logical pixels
    double main = 0.68;    // of the width beside the sidebar: the middle panel and those below it
    double upper = 0.73;   // of the height of these
    double right_split = 0.5, bottom_split = 0.62;
    std::vector<double> shared{};  // of each place that two panels share: the first one's share of it
    int maximised = -1;            // the panel that has all the room beside the sidebar; -1: none

    bool operator==(const Layout&) const = default;

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

    template <class S, class F>
    static void fields(S& s, F&& f) {
        f(Field{.name = "sidebar",
                .label = "Sidebar",
                .unit = "px",
                .min = 220,
                .max = 520,
                .help = "Width of the controls."},
          s.sidebar);
        f(Field{.name = "main",
                .label = "Middle",
                .min = 0.3,
                .max = 0.85,
                .help = "Share of the width left of the right column."},
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
                .help = "Place by place: share of the first of two panels there; a half where none is given."},
          s.shared);
        f(Field{.name = "maximised",
                .label = "Maximised",
                .min = -1,
                .max = most_panels - 1,
                .help = "The panel that has all the room; −1 is none."},
          s.maximised);
    }
};

/// Which figures stand where, and how the window is shared among them.
struct Arrangement {
    /// In the order of the panels: panel_count of them, and then their duplicates.
    std::vector<Figure> figures = usual_figures();
    std::vector<int> beside;  // of each duplicate: the panel whose place it shares
    Layout layout;

    bool operator==(const Arrangement&) const = default;

    int panels() const { return static_cast<int>(figures.size()); }
    bool is_duplicate(int panel) const { return panel >= panel_count; }
    /// The place of the layout that a panel stands in.
    int place_of(int panel) const {
        return is_duplicate(panel) ? beside[static_cast<std::size_t>(panel - panel_count)] : panel;
    }
    /// The panel of a place and the duplicates that share it.
    std::vector<int> panels_in(int place) const {
        std::vector<int> sharing;
        for (int panel = 0; panel < panels(); ++panel)
            if (place_of(panel) == place) sharing.push_back(panel);
        return sharing;
    }
    /// Nothing if none is, or is there no more.
    std::optional<int> maximised() const {
        return layout.maximised >= 0 && layout.maximised < panels() ? std::optional(layout.maximised) : std::nullopt;
    }
    /// How many stand beside each other.
    int panels_in_sight() const { return maximised() ? 1 : panels(); }
    void toggle_maximised(int panel) { layout.maximised = maximised() == panel ? -1 : panel; }
    bool can_duplicate() const { return panels() < most_panels; }
    /// The same figure with the same options once more, in one place with the panel. Where `can_duplicate`.
    void duplicate(int panel) {
        figures.push_back(figures[static_cast<std::size_t>(panel)]);
        beside.push_back(place_of(panel));
        layout.maximised = -1;
    }
    /// Each takes the other's place.
    void exchange(int panel, int other) {
        std::swap(figures[static_cast<std::size_t>(panel)], figures[static_cast<std::size_t>(other)]);
    }
    /// Takes a duplicate away.
    void close(int panel) {
        layout.set_share_in(place_of(panel), Layout::usual_share);
        figures.erase(figures.begin() + panel);
        beside.erase(beside.begin() + (panel - panel_count));
        layout.maximised = -1;
    }
};

struct View : Arrangement {
    Cursor cursor;  // of a locked cell also where the present head is too small for it: see Workbench::cursor
    bool cursor_locked = false;

    /// The cursor where another experiment took the place of one: on the last row it stays on the last. Locked to a
    /// cell it is back there as soon as the head is large enough again.
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
