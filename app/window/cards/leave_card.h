// The card that asks before the window closes with unsaved changes or a running export.
#pragma once

#include <string>

#include "app/window/widgets/ui.h"

namespace ropewalk {

class LeaveCard {
  public:
    enum class Answer { none, save, discard };
    /// Whether the current scene can be saved before the window closes.
    enum class Saving { unneeded, possible, impossible };

    /// Opens the card. The sentence says what would be lost.
    void ask(std::string sentence, Saving saving);
    bool is_open() const { return open_; }
    void close() { open_ = false; }

    /// Draws the card in the middle of `area` (device pixels) while it is open. Any answer closes it; Escape and a
    /// click outside close it without an answer.
    Answer draw(Ui& ui, const Rect& area);

  private:
    bool open_ = false;
    Saving saving_ = Saving::unneeded;
    std::string sentence_;
};

}  // namespace ropewalk
