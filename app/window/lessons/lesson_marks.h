// Marks and helpers of the lessons' panel besides prose and widgets.
#pragma once

#include <string>

#include "app/window/widgets/ui.h"

namespace ropewalk {

/// Logical pixels between the card's sides and its content.
inline constexpr double side_padding = 32;
/// Logical pixels over which scrolled text fades at its upper and lower end.
inline constexpr double fade_above = 16, fade_below = 24;

/// Draws a cross of this size (logical pixels), as `draw_tick` does a tick.
void draw_cross(const Ui& ui, Point middle, Color color, double size);
/// Returns the colour of right answers and completed tasks.
Color right_color(const Theme& theme);

/// The state of an invisible button, in device pixels.
struct ClickArea {
    Rect rect;
    bool clicked = false, hovered = false;
};
/// Adds an invisible button at ImGui's cursor; sizes in device pixels.
ClickArea clickable(const std::string& id, double width, double height);

/// Moves ImGui's cursor down by this many logical pixels.
void skip_down(const Ui& ui, double logical);
/// Returns the width of ImGui's window in logical pixels, with or without a scroll bar.
double room_across(const Ui& ui);

}  // namespace ropewalk
