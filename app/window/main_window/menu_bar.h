// The menu bar: the menus, made from the table of commands, and the scene's title.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/window/main_window/commands.h"
#include "app/window/widgets/popup_menu.h"

namespace ropewalk {

/// Heights of the menu bar and the toolbar, and both in a window lower than `low_window`; logical pixels.
constexpr double menu_bar_height = 32, toolbar_height = 48, low_menu_bar = 28, low_toolbar = 38, low_window = 760,
                 window_margin = 8;

/// Returns the title of a command's menu entry, and the entry, which refers to `title`.
std::string menu_title_of(const Command& command);
MenuEntry menu_entry_of(const Command& command, const WindowParts& window, const std::string& title);

class MenuBar {
  public:
    /// Draws the titles of the menus and of the scene. `rect` is in device pixels.
    void draw(Ui& ui, WindowParts& window, const Rect& rect);
    /// Draws the bar in a presentation, where it is visible while the pointer is at the upper edge or a menu is open.
    /// `rect` is empty while a card is open. It covers the formula above `room` completely or not at all. Returns
    /// whether the bar is visible.
    bool draw_presented(Ui& ui, WindowParts& window, const Rect& rect, const Rect& room);
    /// Hides the bar until the pointer is at the upper edge again.
    void hide() { is_revealed_ = false; }

    bool is_open() const { return popup_.is_open(); }
    /// Opens menus by keyboard: Alt alone or F10, and Alt with a menu's letter. Call while no card is open.
    void take_keys(Ui& ui);
    /// Draws the open menu over the rest of the window, and runs the chosen command.
    void draw_menu(Ui& ui, WindowParts& window);

  private:
    void open(std::size_t menu, bool by_key);
    /// Follows the pointer from one title to the next.
    void follow_pointer();

    bool is_revealed_ = false;  // in a presentation
    PopupMenu popup_;
    std::size_t open_menu_ = 0;
    std::vector<Rect> titles_;  // in the last frame
};

}  // namespace ropewalk
