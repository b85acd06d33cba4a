// Colours of text.
#pragma once

#include "app/plot/canvas.h"

namespace ropewalk {

/// Returns the contrast of two opaque colours, 1 to 21 (WCAG 2.1).
double contrast(Color a, Color b);

/// The minimum contrast of text (success criterion 1.4.3 of WCAG 2.1).
inline constexpr double text_contrast = 4.5;

/// Returns the colour for text on this ground: the colour itself or, if its contrast is too low, the nearest tone of
/// its hue that has enough. A colour faded into the ground is first taken back towards its full strength.
Color legible(Color color, Color ground);

}  // namespace ropewalk
