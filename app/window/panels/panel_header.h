// The header of a panel: its title, its badge and its buttons.
#pragma once

#include <optional>
#include <string>

#include "app/window/panels/panel_context.h"
#include "app/window/widgets/widgets.h"

namespace ropewalk {

class PanelHeader {
  public:
    static constexpr double inset = 4;  // logical pixels; also of the panel's content
    /// Returns the height of a panel's header in logical pixels. That of the main figure is the highest.
    static double height(int panel);

    /// Draws the title, and as much of the badge and the buttons as fits. Apply sets the head to the `proposal`, if
    /// there is one.
    void draw(PanelContext& panel, const Badge& badge, const Proposal* proposal);

  private:
    /// Draws the title, which opens the list of figures and can be dragged.
    void draw_title(PanelContext& panel, const std::string& title, const std::string& whole);
    /// Draws the list of figures while it is open, below the panel's title.
    void choose_figure(const PanelContext& panel, Point below);

    bool is_carried_ = false;              // by its title
    std::optional<Figure> before_choice_;  // the figure here when the list of figures was opened,
    int choice_of_ = 0;                    // and the `subject` of the widgets
};

/// Pins the current curve of the panel's figure for comparison.
void pin_curve(Session& session, int panel);
Help pin_help();

}  // namespace ropewalk
