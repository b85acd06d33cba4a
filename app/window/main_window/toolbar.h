// The toolbar below the menu bar: the commands that are used most, and the field that opens the palette.
#pragma once

#include "app/window/main_window/commands.h"

namespace ropewalk {

/// Draws the toolbar in `rect` (device pixels). Buttons lose their titles where there is no room for them; what does
/// not fit even then is left to the menus.
void draw_toolbar(Ui& ui, WindowParts& window, const Rect& rect);

}  // namespace ropewalk
