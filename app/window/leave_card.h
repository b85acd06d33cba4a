// The card that asks what becomes of unsaved changes before the window closes.
#pragma once

#include <string>

#include "app/window/ui.h"

namespace ropewalk {

class LeaveCard {
  public:
    enum class Answer { none, save, discard };

    /// Shows itself over the next frames. `title` is the scene's.
    void ask(std::string title);
    bool is_open() const { return open_; }

    /// Draws it in the middle of `area` (device pixels) while it is open. It closes with any answer; Escape and a click
    /// beside it close it with none.
    Answer draw(Ui& ui, const Rect& area);

  private:
    bool open_ = false;
    std::string title_;
};

}  // namespace ropewalk
