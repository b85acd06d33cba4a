// The card that asks before the window closes and something would be lost.
#pragma once

#include <string>

#include "app/window/widgets/ui.h"

namespace ropewalk {

class LeaveCard {
  public:
    enum class Answer { none, save, discard };

    /// Shows itself over the next frames. The sentence says what would be lost.
    void ask(std::string sentence, bool can_save);
    bool is_open() const { return open_; }
    void close() { open_ = false; }

    /// Draws it in the middle of `area` (device pixels) while it is open. It closes with any answer; Escape and a click
    /// beside it close it with none.
    Answer draw(Ui& ui, const Rect& area);

  private:
    bool open_ = false, can_save_ = false;
    std::string sentence_;
};

}  // namespace ropewalk
