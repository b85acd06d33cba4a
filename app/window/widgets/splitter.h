// The gap between two panels, which can be dragged.
#pragma once

#include <string_view>

#include "app/window/widgets/ui.h"

namespace ropewalk {

struct SplitterSpec {
    std::string_view id;
    bool vertical = true;  // the gap runs from top to bottom and is dragged across
    Rect area;             // the divided area; device pixels
    double gap = 8;        // logical pixels
    double default_fraction = 0.5;
    double min = 0.1, max = 0.9;  // of the fraction
};

struct SplitterState {
    Rect first, second;  // the areas on both sides of the gap, on whole device pixels
    bool changed = false;
    bool is_let_go = false;  // a drag has ended
};

/// Draws a line while the gap is hovered or held, and lets the mouse drag it. A double-click resets it. `fraction`
/// changes only by the mouse: if it does not fit, the gap is at the nearest fraction that does.
SplitterState splitter(Ui& ui, const SplitterSpec& spec, double& fraction);

}  // namespace ropewalk
