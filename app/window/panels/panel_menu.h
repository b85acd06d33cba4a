// The menu of a panel: the figure's options and presets, and what can be done with the panel.
#pragma once

#include <optional>
#include <string>

#include "app/window/panels/panel_context.h"

namespace ropewalk {

/// Draws controls for the options of a panel's figure. Returns the path of the number whose slider was right-clicked;
/// empty if none was.
std::string option_controls(Ui& ui, Session& session, int panel);

class PanelMenu {
  public:
    /// Draws the menu beside the panel, if ImGui's popup "menu" is open. Returns the preset that was chosen, if one
    /// was.
    std::optional<std::size_t> draw(PanelContext& panel);

  private:
    float height_ = 0;  // in the last frame
};

}  // namespace ropewalk
