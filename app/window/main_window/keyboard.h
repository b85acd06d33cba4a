// What keys do in the window, apart from what widgets and cards take themselves.
#pragma once

#include "app/window/main_window/commands.h"

namespace ropewalk {

/// Moves the keyboard focus from control to control, within a card if one is open.
void take_tab(Ui& ui);

/// Runs the commands whose shortcuts were pressed. Escape ends what is under way, and arrows move the cursor.
/// `is_held`: a control is held, and undo would change the step that it is making.
void take_keys(Ui& ui, WindowParts& window, bool is_held);

}  // namespace ropewalk
