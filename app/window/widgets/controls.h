// The sidebar: one widget per field of the experiment and of the main figure, built from the fields' descriptions.
#pragma once

#include <functional>

#include "app/figures/figures.h"
#include "app/window/widgets/widgets.h"
#include "core/experiment/experiment.h"

namespace ropewalk {

/// What happened to the edited value.
struct ControlsState {
    bool held = false;
    std::string touched;   // path of the field that was changed
    std::string rejected;  // an error sentence about what was typed
    std::string context;   // path of the number whose slider was right-clicked
};

/// Returns the alternatives, with a description each.
std::vector<Entry> entries_of(const ConstChoiceRef& choice);

/// Draws controls for every field of the experiment, in sections, or only for the field of one path.
ControlsState experiment_controls(Ui& ui, Experiment& experiment, std::string_view only = {});

/// Returns whether a figure has options to show controls for.
bool has_controls(const Figure& figure);

/// Draws controls for the fields of a struct whose paths, including `prefix`, satisfy `shown`. `usual` holds the values
/// that they are reset to.
ControlsState group_controls(Ui& ui, const GroupRef& group, const ConstGroupRef& usual, const std::string& prefix,
                             const std::function<bool(std::string_view path)>& shown);

/// Draws controls for a figure's options with this head. Below settings that have no effect it says why.
ControlsState figure_controls(Ui& ui, Figure& figure, const Experiment& experiment);

}  // namespace ropewalk
