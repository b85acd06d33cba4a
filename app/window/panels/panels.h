// app/window/panels: the figures in the window, with their headers and mouse, and the formula bar. Here: the panels
// beside the sidebar, their arrangement and shared state.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/figures/parts/text/readout_text.h"
#include "app/window/panels/figure_panel.h"
#include "app/window/panels/panel_arrangement.h"

namespace ropewalk {

/// What is emphasised: the ids of the figure that a lesson points at and of those that show the symbol under the
/// pointer, and the panel that is shown alone.
struct Emphasis {
    std::string by_lesson;  // empty: none
    std::vector<std::string> by_formula;
    std::optional<int> alone;  // empty: all panels are shown

    bool lights(std::string_view id) const {
        return by_lesson == id || std::find(by_formula.begin(), by_formula.end(), id) != by_formula.end();
    }
};

class Panels {
  public:
    /// What the panels ask of the rest of the window.
    struct Answer {
        std::optional<int> exported;                       // panel whose figure is to be exported
        std::optional<std::pair<int, std::string>> swept;  // panel and path of the option to sweep
        std::optional<Point> context;                      // where a figure was right-clicked, device pixels
        std::optional<ReadoutItem> compared;  // the first number of the readout that has one before a change
        std::string readout;  // about the entry under the pointer, or about the locked cursor; may be empty, also
                              // because it is shown below the main figure
    };
    /// Draws all panels in `area` (device pixels), changes the session's view as the mouse says, and requests what the
    /// figures need.
    Answer draw(Ui& ui, Session& session, Player& player, const Emphasis& emphasis, const Rect& area);

    /// Returns whether the pointer was on a figure in the last frame where a click only locks a cell.
    bool picks() const { return picks_; }
    /// Returns the panel that the pointer is on, or was on last; the first if that was closed.
    int under_pointer(const View& view) const { return under_pointer_ < view.panels() ? under_pointer_ : 0; }

    /// Adds a second panel with the same figure.
    static void duplicate(Session& session, int panel);
    /// Adds a panel with this figure.
    static void add(Session& session, Figure figure);
    /// Zooms a panel's figure about the cursor. A factor below 1 enlarges.
    void zoom(Session& session, int panel, double factor) {
        if (panel < static_cast<int>(panels_.size()))
            AxesZoom::zoom_at_cursor(session, panel, at(panel).frame(), factor);
    }
    /// Moves the cursor by steps to the right and down on a panel's figure, and locks it. A zoomed figure follows.
    void move_cursor(Session& session, int panel, int across, int down) {
        const Frame frame = panel < static_cast<int>(panels_.size()) ? at(panel).frame() : Frame{};
        AxesZoom::move_cursor(session.document, panel, frame, across, down);
    }
    /// Opens the options of a panel in the next frame.
    void open_options(int panel) { wants_options_ = panel; }
    /// Makes a panel's figure the main one.
    static void make_main(Session& session, int panel);
    /// Closes a panel that is not the last one.
    static void close(Session& session, int panel);

  private:
    FigurePanel& at(int panel) { return panels_[static_cast<std::size_t>(panel)]; }
    /// Draws the readout in large type, without the least important items if there is no room for them. Returns
    /// whether the first value and its place are there.
    static bool draw_readout(Ui& ui, const std::string& readout, const Rect& rect);
    /// Requests what the shown figures need.
    void ask(const Ui& ui, Session& session, const PanelPlaces& shown);
    void change(Ui& ui, Session& session, int panel, PanelChange change);

    PanelArrangement arrangement_;
    std::vector<FigurePanel> panels_;
    int under_pointer_ = 0;
    std::optional<int> wants_options_;
    bool picks_ = false;
};

}  // namespace ropewalk
