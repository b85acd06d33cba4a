// The menu of a panel: the figure's options and presets, and what can be done with the panel.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "app/window/panels/panel_context.h"

namespace ropewalk {

/// Draws controls for the options of a panel's figure, which are registered as "PLACE" + "decay.axis". Returns the path
/// of the number whose slider was right-clicked; empty if none was.
std::string option_controls(Ui& ui, Session& session, int panel, std::string_view place = {});

class PanelMenu {
  public:
    /// Draws the menu beside the panel, if ImGui's popup "menu" is open. Returns the preset that was chosen, if one
    /// was.
    std::optional<std::size_t> draw(PanelContext& panel);

  private:
    float height_ = 0;  // in the last frame
};

}  // namespace ropewalk
