// Where the panels are: splitters between them, and tabs where they share an area that is too small for all.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/window/session/document.h"
#include "app/window/widgets/ui.h"

namespace ropewalk {

/// Panels and where they are, in device pixels.
using PanelPlaces = std::vector<std::pair<int, Rect>>;

class PanelArrangement {
  public:
    /// Draws the splitters and tabs that fit in `area`, and lets the mouse change the document's layout. The figure
    /// `lit`, at which a lesson points, comes to the front once. Returns which panels are shown, and where. Call unless
    /// one panel is shown alone.
    PanelPlaces draw(Ui& ui, Document& document, const std::string& lit, const Rect& area);

  private:
    /// Panels that share an area with tabs, the prefix of their ids, and the panels that are visible elsewhere.
    struct Tabs {
        std::string id;
        Rect area;
        std::vector<int> panels, elsewhere;
    };

    /// Chooses the panels in front before tabs are drawn: the first ones in another scene, else a place's new panel.
    void bring_to_front(const Document& document, const std::string& lit);
    /// Returns which places are shown, and where.
    PanelPlaces divide(Ui& ui, Document& document, const Rect& area);
    /// Adds the panels of a place, which divide it, two of them by a splitter, or share it with tabs if it is too
    /// small.
    void add_panels_in(Ui& ui, Document& document, const std::pair<int, Rect>& place, const PanelPlaces& places,
                       PanelPlaces& shown);
    /// Draws the tabs. Returns the panel in front, and where it is.
    std::pair<int, Rect> draw_tabs(Ui& ui, const View& view, const Tabs& tabs, int& chosen);

    std::string lit_;  // the figure that a lesson pointed at
    bool is_newly_lit_ = false;
    int tab_ = 0;  // the place shown by tabs if not all fit; the first if it is invalid
    std::array<std::size_t, most_places> fronts_{};   // likewise, which of the panels of each place,
    std::array<std::size_t, most_places> sharing_{};  // how many these were in the last frame,
    int scenes_opened_ = 0;                           // and the number of opened scenes by then
};

}  // namespace ropewalk
