// The panels beside the sidebar: where each stands, and what they have in common.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "app/window/panels/figure_panel.h"

namespace ropewalk {

class Panels {
  public:
    /// Draws all panels in `area` (device pixels), changes the workbench's view as the mouse says, and asks for what
    /// the figures need. The panel whose figure is to be exported, if one is.
    std::optional<int> draw(Ui& ui, Session& session, const Rect& area);

    /// One line about what the pointer is on, or about the locked cursor; may be empty.
    const std::string& readout() const { return readout_; }
    /// Whether the pointer was on a figure in the last frame, where a click picks a cell and changes nothing.
    bool picks() const { return picks_; }
    /// Whether the button was pressed in this frame that plays the distance, or stops that.
    bool play_pressed() const { return play_pressed_; }
    /// The option of a panel's figure whose slider was right-clicked in this frame, by its path.
    const std::optional<std::pair<int, std::string>>& swept() const { return swept_; }
    /// How fast it is to be played from now on, if that was chosen in this frame.
    std::optional<double> speed_chosen() const { return speed_chosen_; }
    /// The panel that the pointer is on, or was on last.
    int under_pointer() const { return under_pointer_; }

    /// The figure of a panel once more beside it.
    static void duplicate(Session& session, int panel);

  private:
    void change(Ui& ui, Session& session, int panel, PanelChange change);
    /// The title of the panel that is carried, at the pointer; the panel there is lit.
    static void show_carried(const Ui& ui, const View& view, int carried,
                             const std::vector<std::pair<int, Rect>>& shown);
    /// The panel that was carried and the one at the pointer, if there is one, take each other's place.
    static void exchange(Ui& ui, Session& session, int carried, const std::vector<std::pair<int, Rect>>& shown);
    /// Which panels are shown, and where: those of one place divide it, two of them by a splitter, or take turns
    /// where it is too small for that.
    std::vector<std::pair<int, Rect>> with_duplicates(Ui& ui, Session& session,
                                                      const std::vector<std::pair<int, Rect>>& places);
    /// Where two panels of a place stand, which without the splitter between them would have a half each.
    static std::pair<Rect, Rect> split_in_two(Ui& ui, Layout& layout, int place, const Rect& rect,
                                              const std::vector<Rect>& halves);
    /// The splitters and tabs, as many as there is room for; which places are shown, and where.
    std::vector<std::pair<int, Rect>> arrange(Ui& ui, Session& session, const Rect& area);
    /// Before panels take turns: of another scene the first come to the front, else what a place has got.
    void bring_to_front(const Ui& ui, const Session& session);
    /// Panels that take turns in an area, with ids that begin so; and what is in sight elsewhere.
    struct Tabs {
        std::string id;
        Rect area;
        std::span<const int> panels, elsewhere;
    };
    /// One of them at a time. Returns which, and where.
    std::pair<int, Rect> draw_tabs(Ui& ui, const Session& session, const Tabs& tabs, int& chosen);

    std::vector<FigurePanel> panels_;
    int under_pointer_ = 0;
    bool play_pressed_ = false, picks_ = false;
    std::optional<double> speed_chosen_;
    std::optional<std::pair<int, std::string>> swept_;
    std::string readout_;
    std::string lit_;  // the figure that a lesson pointed at
    bool is_lit_anew_ = false;
    int tab_ = 0;  // the place that tabs show, where there is no room for all; the first of them if it is none
    std::array<std::size_t, panel_count> fronts_{};   // likewise of each place which of those that share it,
    std::array<std::size_t, panel_count> sharing_{};  // and how many these were in the last frame
    const Scene* of_scene_ = nullptr;                 // which they were chosen in
};

}  // namespace ropewalk
