// What a right-click on a figure offers: commands for the panel under the pointer.
#pragma once

#include "app/window/main_window/window_parts.h"
#include "app/window/widgets/popup_menu.h"

namespace ropewalk {

class ContextMenu {
  public:
    bool is_open() const { return popup_.is_open(); }
    /// Opens the menu at a place in the window (device pixels).
    void open(Point at) {
        at_ = at;
        popup_.open();
    }
    /// Draws the menu while it is open, over everything else, and runs the chosen command.
    void draw(Ui& ui, WindowParts& window);

  private:
    PopupMenu popup_;
    Point at_;
};

}  // namespace ropewalk
