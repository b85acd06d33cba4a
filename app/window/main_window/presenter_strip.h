// The strip of large sliders below the figure of a presentation: which fields it shows.
#pragma once

#include <string>
#include <vector>

#include "app/figures/page/view.h"
#include "app/window/widgets/ui.h"

namespace ropewalk {

constexpr int most_presented = 4;  // sliders

/// Returns whether the scene pins this field to the strip.
bool is_in_strip(const View& view, const std::string& path);

/// Returns the paths of the fields to show: `wanted`, the control of a lesson; else those that the scene pins and the
/// head has; else up to two numbers. If a model is trained, they are of the training's encoding, its step or its
/// recipe; otherwise they are the base and the first number of the construction.
std::vector<std::string> presented_fields(const View& view, const Experiment& experiment, const std::string& wanted);

/// Returns the place of slider `index` of `count` in the strip, in device pixels.
Rect place_in_strip(const Ui& ui, const Rect& strip, int index, int count);
/// Returns the height of the strip in device pixels.
double strip_height(const Ui& ui);

}  // namespace ropewalk
