// What a right-click on a figure offers: commands for the panel under the pointer.
#pragma once

#include "app/window/main_window/command_menu.h"

namespace ropewalk {

class ContextMenu {
  public:
    bool is_open() const { return menu_.is_open(); }
    /// Opens the menu at a place in the window (device pixels).
    void open(Point at, const WindowParts& window);
    /// Draws the menu while it is open, and runs the chosen command.
    void draw(Ui& ui, WindowParts& window) {
        if (is_open()) menu_.draw(ui, "context", at_, window);
    }

  private:
    CommandMenu menu_;
    Point at_;
};

}  // namespace ropewalk
