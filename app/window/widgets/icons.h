// Icons of buttons, drawn as thin lines in a square of 16 logical pixels.
#pragma once

#include "app/window/widgets/ui.h"

namespace ropewalk {

enum class Icon { none, undo, redo, flag, fit, plus, play, search, dots };

/// Draws an icon around a point (device pixels).
void draw_icon(const Ui& ui, Icon icon, Point middle, Color color);

}  // namespace ropewalk
