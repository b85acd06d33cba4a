// What can be done with a field of the head: the menu of a control in the sidebar.
#pragma once

#include <string>

#include "app/window/main_window/window_parts.h"
#include "app/window/widgets/popup_menu.h"

namespace ropewalk {

class FieldMenu {
  public:
    bool is_open() const { return popup_.is_open(); }
    /// Opens the menu for the field at `path`, at the pointer or, if it is not on the control, below the control.
    void open(const Ui& ui, std::string path);
    /// Draws the menu over the rest of the window while it is open, and does what is chosen.
    void draw(Ui& ui, WindowParts& window);

  private:
    PopupMenu popup_;
    std::string path_;
    Point corner_;
};

}  // namespace ropewalk
