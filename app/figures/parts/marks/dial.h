// A query and a key as arrows from the centre of a circle, with the angle between them.
#pragma once

#include <algorithm>
#include <complex>

#include "app/figures/figure.h"
#include "core/analysis/heads/arrows.h"

namespace ropewalk {

/// A circle for arrows. Its radius represents the length `longest`.
struct Dial {
    Rect bounds;  // of the circle and its labels
    Point centre;
    double radius = 0, longest = 1;
    double shortest = 0;  // of an arrow, relative to the radius: a shorter one is drawn longer, so that it is visible

    /// Places a circle in a rect with room for labels around it.
    static Dial within(const Rect& bounds, double longest, double for_labels);

    /// Returns the length that an arrow is drawn with.
    double length_of(std::complex<double> arrow) const {
        const double length = std::abs(arrow);
        return length > 0 ? radius * std::max(length / longest, shortest) : 0;
    }
    bool is_to_scale(std::complex<double> arrow) const { return arrow == 0.0 || std::abs(arrow) >= shortest * longest; }
    Point tip(std::complex<double> arrow) const {
        const std::complex<double> drawn = std::polar(length_of(arrow), std::arg(arrow));
        return {centre.x + drawn.real(), centre.y - drawn.imag()};
    }
};

/// Draws the circles on which the arrows turn.
void draw_circles(const Arrows& arrows, const Dial& dial, const Stroke& stroke, Canvas& canvas);
/// Draws the arrows of another head. Those too long for the dial end at its rim, without a head.
void draw_pale_arrows(const Arrows& arrows, const Dial& dial, const Stroke& stroke, Canvas& canvas);
void draw_arrows(const Arrows& arrows, const Dial& dial, const Theme& theme, Canvas& canvas);
/// Draws the angle between the arrows as a sector.
void draw_sector(const Arrows& arrows, const Dial& dial, const Theme& theme, Canvas& canvas);

enum class Angle { named, unnamed };
/// Names the arrows, and their angle in degrees.
void label_arrows(const Arrows& arrows, const Dial& dial, const Theme& theme, Canvas& canvas, Angle its_angle);

/// Returns "125°".
std::string degrees(double radians);

}  // namespace ropewalk
