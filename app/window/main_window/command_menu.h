// A menu of commands. What is available is found out when it opens.
#pragma once

#include <string_view>
#include <vector>

#include "app/window/main_window/commands.h"
#include "app/window/widgets/popup_menu.h"

namespace ropewalk {

class CommandMenu {
  public:
    struct Item {
        const Command* command = nullptr;
        bool starts_group = false;
    };

    bool is_open() const { return popup_.is_open(); }
    void open(std::vector<Item> items, const WindowParts& window, OpenedBy by);
    void close() { popup_.close(); }
    /// Draws the menu below `corner` (device pixels), over everything else, and runs the chosen command. Returns −1 or
    /// 1 if the left or the right arrow was pressed, else 0. Call while it is open.
    int draw(Ui& ui, std::string_view id, Point corner, WindowParts& window);

  private:
    PopupMenu popup_;
    std::vector<Item> items_;
    std::vector<MenuEntry> entries_;
};

}  // namespace ropewalk
