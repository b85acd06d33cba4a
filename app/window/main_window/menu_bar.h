// The menu bar: the menus, made from the table of commands, and the scene's title.
#pragma once

#include <vector>

#include "app/window/main_window/command_menu.h"

namespace ropewalk {

/// Heights of the menu bar and the toolbar, and both in a window lower than `low_window`; logical pixels.
constexpr double menu_bar_height = 32, toolbar_height = 48, low_menu_bar = 28, low_toolbar = 38, low_window = 760,
                 window_margin = 8;

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

    bool is_open() const { return menu_.is_open(); }
    /// Opens menus by keyboard: Alt alone or F10, and Alt with a menu's letter. Call while no card is open.
    void take_keys(Ui& ui, const WindowParts& window);
    /// Draws the open menu over the rest of the window, and runs the chosen command.
    void draw_menu(Ui& ui, WindowParts& window);

  private:
    void open(std::size_t menu, const WindowParts& window, OpenedBy by);
    /// Follows the pointer from one title to the next.
    void follow_pointer(const WindowParts& window);

    bool is_revealed_ = false;  // in a presentation
    CommandMenu menu_;
    std::size_t open_menu_ = 0;
    std::vector<Rect> titles_;  // in the last frame
};

}  // namespace ropewalk
