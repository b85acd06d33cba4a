// Drawing on figures with the mouse, and what they can be set to at once.
#pragma once

#include "app/plot/axes.h"
#include "core/experiment/experiment.h"

namespace ropewalk {

/// The left button draws, the right one takes away.
enum class Brush { draw, erase };

/// A part of a drag over a figure: logical pixels, as its frame has them.
struct BrushMove {
    Brush brush = Brush::draw;
    Point start;     // where the button went down
    Point from, to;  // the pointer, since it was asked last
};

/// A value of a plot's vertical axis, rounded to what a pixel can tell apart.
double told_apart(double value, const Frame& plot);

/// What a figure, or the experiment behind it, can be set to from the panel's menu.
struct Preset {
    const char *id, *label, *help;
};

/// The experiment that follows from what a figure shows.
struct Proposal {
    enum class When { asked, drawn };

    Experiment experiment;
    When when = When::asked;  // it is to be taken: on a button's press, or at once while it is drawn
};

}  // namespace ropewalk
