// The settings of the window in one dialog: theme, size of text, motion, formula.
#pragma once

#include "app/window/session/preferences.h"
#include "app/window/widgets/ui.h"

namespace ropewalk {

class SettingsCard {
  public:
    bool is_open() const { return is_open_; }
    void open() { is_open_ = true; }
    void close() { is_open_ = false; }
    /// Draws the card in the middle of `area` (device pixels) while it is open. Changes apply at once; a dragged one
    /// when it is released, because it may resize the card.
    void draw(Ui& ui, Preferences& preferences, const Rect& area);

  private:
    bool is_open_ = false;
    std::optional<Preferences> edited_;  // while a slider is held
};

}  // namespace ropewalk
