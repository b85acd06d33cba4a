// One panel in one frame: what its parts have in common.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <string>
#include <string_view>

#include "app/window/panels/player.h"
#include "app/window/session/session.h"
#include "app/window/surface/compat.h"
#include "app/window/widgets/ui.h"

namespace ropewalk {

/// A change of the panels that is made after all of them were drawn.
enum class PanelChange { none, duplicate, close, make_main };

/// Events in a panel that concern the rest of the window.
struct PanelEvents {
    bool is_exported = false;  // Export was pressed
    PanelChange change = PanelChange::none;
    bool is_carried = false;  // by its title, over another panel
    bool is_let_go = false;   // dropped there
    bool is_pointed_at = false;
    bool changes_head = false;  // a press here changes the head instead of locking a cell
    std::string readout{};      // one line about the entry under the pointer; in the main panel about the cursor
    std::string swept{};        // path of the option to sweep
};

struct PanelContext {
    Ui& ui;
    Session& session;
    Player& player;
    int index = 0;               // of the panel
    Rect rect{};                 // of the panel, device pixels
    bool opens_options = false;  // another part of the window asked for its options
    PanelEvents events{};

    Figure& figure() const { return session.document.view.figure(index); }
    const Experiment& experiment() const { return session.document.experiment(); }
    /// Returns the id of a widget of this panel, such as "panel0.plot".
    std::string id(std::string_view part) const { return fmt::format("panel{}.{}", index, part); }
    /// Converts a part of the panel (logical pixels) to device pixels of the window.
    Rect on_screen(const Rect& part) const {
        return {rect.x + part.x * ui.scale, rect.y + part.y * ui.scale, part.width * ui.scale, part.height * ui.scale};
    }
    /// Converts a place in the window (device pixels) to logical pixels of the panel.
    Point in_panel(ImVec2 place) const { return {(place.x - rect.x) / ui.scale, (place.y - rect.y) / ui.scale}; }
    Point pointer() const { return in_panel(ImGui::GetIO().MousePos); }
    /// Returns whether the reference, or the state before, is shown in place of the head.
    bool shows_other_head() const { return ui.modifiers.shift && session.other_on_shift(); }
    /// Maximises the panel, or restores all of them.
    void toggle_maximised() const {
        session.document.view.toggle_maximised(index);
        ui.wake_after = 0;
    }
};

/// A figure as it was drawn in this frame.
struct DrawnFigure {
    const FigureInput& input;
    const Frame& frame;  // logical pixels of the panel
};

constexpr double click_slack = 4;  // logical pixels that a click may move

/// Returns whether the pointer has moved too far for a click.
inline bool is_drag(Point from, Point to) {
    return std::hypot(to.x - from.x, to.y - from.y) > click_slack;
}

}  // namespace ropewalk
