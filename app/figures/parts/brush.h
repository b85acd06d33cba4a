// Drawing on figures with the mouse, and the presets of figures.
#pragma once

#include <algorithm>
#include <cmath>

#include "app/plot/axes.h"
#include "core/experiment/experiment.h"

namespace ropewalk {

/// The tool of a mouse button: left draws, right erases.
enum class Brush { draw, erase };

/// One step of a drag over a figure, in logical pixels of its frame.
struct BrushMove {
    Brush brush = Brush::draw;
    Point start;     // where the button was pressed
    Point from, to;  // the pointer at the last step and now
};

/// Returns a value of a plot's vertical axis, rounded to the largest power of ten below one pixel.
inline double rounded_to_pixel(double value, const Frame& plot) {
    const double pixel = std::abs(plot.y.high - plot.y.low) / std::max(1.0, plot.plot.height);
    if (!(pixel > 0) || !std::isfinite(value)) return value;
    const double exponent = std::floor(std::log10(pixel));
    // Multiply and divide by powers of ten that a double represents exactly, so that 0.3 stays 0.3.
    return exponent < 0 ? std::round(value * std::pow(10, -exponent)) / std::pow(10, -exponent)
                        : std::round(value / std::pow(10, exponent)) * std::pow(10, exponent);
}

/// A preset of a figure, or of its experiment, in the panel's menu.
struct Preset {
    const char *id, *label, *help;
};

/// An experiment that a figure proposes, and when to take it over.
struct Proposal {
    enum class When { asked, drawn };

    Experiment experiment;
    When when = When::asked;  // on a button press, or immediately while drawing
};

}  // namespace ropewalk
