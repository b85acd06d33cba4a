// app/window/panels: the figures in the window, with their headers and mouse, and the formula bar. Here: the panels
// beside the sidebar, their arrangement and shared state.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "app/window/panels/figure_panel.h"

namespace ropewalk {

class Panels {
  public:
    /// Draws all panels in `area` (device pixels), changes the session's view as the mouse says, and requests what the
    /// figures need. Returns the panel whose figure is to be exported, if one is.
    std::optional<int> draw(Ui& ui, Session& session, const Rect& area);

    /// Returns one line about the entry under the pointer, or about the locked cursor; may be empty.
    const std::string& readout() const { return readout_; }
    /// Returns whether the pointer was on a figure in the last frame where a click only locks a cell.
    bool picks() const { return picks_; }
    /// Returns whether the play button was pressed in this frame.
    bool play_pressed() const { return play_pressed_; }
    /// Returns the panel and the path of the option whose slider was right-clicked in this frame, if one was.
    const std::optional<std::pair<int, std::string>>& swept() const { return swept_; }
    /// Returns the speed of the animation if it was chosen in this frame.
    std::optional<double> speed_chosen() const { return speed_chosen_; }
    /// Returns the panel that the pointer is on, or was on last.
    int under_pointer() const { return under_pointer_; }

    /// Adds a second panel with the same figure.
    static void duplicate(Session& session, int panel);

  private:
    void change(Ui& ui, Session& session, int panel, PanelChange change);
    /// Draws the title of the dragged panel at the pointer, and highlights the panel below it.
    static void show_carried(const Ui& ui, const View& view, int carried,
                             const std::vector<std::pair<int, Rect>>& shown);
    /// Swaps the dragged panel with the one at the pointer, if there is one.
    static void exchange(Ui& ui, Session& session, int carried, const std::vector<std::pair<int, Rect>>& shown);
    /// Returns which panels are shown, and where. The panels of one place divide it, two of them by a splitter, or
    /// share it with tabs if it is too small.
    std::vector<std::pair<int, Rect>> with_duplicates(Ui& ui, Session& session,
                                                      const std::vector<std::pair<int, Rect>>& places);
    /// Returns where two panels of a place are; without the splitter between them, each would have one of `halves`.
    static std::pair<Rect, Rect> split_in_two(Ui& ui, Layout& layout, int place, const Rect& rect,
                                              const std::vector<Rect>& halves);
    /// Draws the splitters and tabs that fit. Returns which places are shown, and where.
    std::vector<std::pair<int, Rect>> arrange(Ui& ui, Session& session, const Rect& area);
    /// Chooses the panels in front before tabs are drawn: the first ones in another scene, else a place's new panel.
    void bring_to_front(const Ui& ui, const Session& session);
    /// Panels that share an area with tabs, the prefix of their ids, and the panels that are visible elsewhere.
    struct Tabs {
        std::string id;
        Rect area;
        std::span<const int> panels, elsewhere;
    };
    /// Draws the tabs. Returns the panel in front, and where it is.
    std::pair<int, Rect> draw_tabs(Ui& ui, const Session& session, const Tabs& tabs, int& chosen);

    std::vector<FigurePanel> panels_;
    int under_pointer_ = 0;
    bool play_pressed_ = false, picks_ = false;
    std::optional<double> speed_chosen_;
    std::optional<std::pair<int, std::string>> swept_;
    std::string readout_;
    std::string lit_;  // the figure that a lesson pointed at
    bool is_newly_lit_ = false;
    int tab_ = 0;  // the place shown by tabs if not all fit; the first if it is invalid
    std::array<std::size_t, panel_count> fronts_{};   // likewise, which of the panels of each place,
    std::array<std::size_t, panel_count> sharing_{};  // how many these were in the last frame,
    std::shared_ptr<const OpenScene> of_scene_;       // and the scene they were chosen in
};

}  // namespace ropewalk
