// The gap between two panels, which can be dragged.
#pragma once

#include <string_view>

#include "app/window/widgets/ui.h"

namespace ropewalk {

struct SplitterSpec {
    std::string_view id;
    bool vertical = true;  // the gap runs from top to bottom and is dragged across
    Rect area;             // that is divided; device pixels
    double gap = 8;        // logical pixels
    double default_fraction = 0.5;
    double min = 0.1, max = 0.9;  // of the fraction
};

struct SplitterState {
    Rect first, second;  // what is left on both sides of the gap, on whole device pixels
    bool changed = false, held = false, committed = false;
};

/// Draws nothing but a line while it is hovered or held. A double click resets it. `fraction` changes only by the
/// mouse: where there is no room for it the gap stands at the nearest fraction there is.
SplitterState splitter(Ui& ui, const SplitterSpec& spec, double& fraction);

}  // namespace ropewalk
