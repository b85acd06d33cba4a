// Arrows and the angle between them.
#pragma once

#include <span>

#include "app/plot/canvas.h"

namespace ropewalk {

/// The outline of a disc without one.
inline constexpr Stroke no_outline{.color = {0, 0, 0, 0}, .width = 0};

/// Fills a convex polygon.
void fill_convex(std::span<const Point> corners, Color color, Canvas& canvas);

/// Draws an arrow with a filled head; a dot if it is too short for one.
void draw_arrow(Point from, Point to, const Stroke& stroke, Canvas& canvas);

/// Returns the point at a distance and an angle (rad, counterclockwise from the right) from a centre.
Point at_angle(Point centre, double distance, double angle);

/// Draws a sector from angle `begin` over `turned` (rad, counterclockwise if positive, at most half a turn), pale
/// inside.
void draw_angle(Point centre, double radius, double begin, double turned, Color line, Color inside, Canvas& canvas);

}  // namespace ropewalk
