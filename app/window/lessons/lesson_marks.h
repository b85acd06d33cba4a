// What the lessons' panel is drawn with besides prose and widgets.
#pragma once

#include <string>

#include "app/window/widgets/ui.h"

namespace ropewalk {

/// Logical pixels between the card's sides and what stands in it.
inline constexpr double side_padding = 16;

/// A tick in a square or circle so wide (logical pixels), about a middle.
void draw_tick(const Ui& ui, Point middle, Color color, double size);
void draw_cross(const Ui& ui, Point middle, Color color, double size);
/// The colour of what is right or done.
Color right_color(const Theme& theme);

/// An invisible button at ImGui's cursor, in device pixels.
struct ClickArea {
    Rect rect;
    bool clicked = false, hovered = false;
};
ClickArea clickable(const std::string& id, double width, double height);

/// Moves ImGui's cursor down by logical pixels.
void skip_down(const Ui& ui, double logical);
/// Logical pixels from ImGui's cursor to the right end.
double room_across(const Ui& ui);

}  // namespace ropewalk
