// The bar at the top: commands as buttons, and the scene's title.
#pragma once

#include "app/window/main_window/commands.h"

namespace ropewalk {

constexpr double bar_height = 36, window_margin = 8;  // logical pixels

class Bar {
  public:
    /// Draws the commands that fit, a list of the others, and the scene's title.
    void draw(Ui& ui, WindowParts& window, const Rect& rect);
    /// Draws the bar of a presentation, which appears only while the pointer is at the upper edge. `rect` is empty
    /// while a card is open. It covers the formula above `room` completely or not at all. Returns whether the bar is
    /// visible.
    bool draw_presented(Ui& ui, WindowParts& window, const Rect& rect, const Rect& room);
    /// Hides the bar until the pointer is at the upper edge again.
    void hide() { is_revealed_ = false; }

  private:
    bool is_revealed_ = false;  // in a presentation
};

}  // namespace ropewalk
