// The sidebar: one widget for every field of the experiment and of the middle figure, made from the fields' own
// descriptions.
#pragma once

#include <functional>

#include "app/figures/figures.h"
#include "app/window/widgets/widgets.h"
#include "core/experiment/experiment.h"

namespace ropewalk {

/// What happened to the edited value.
struct ControlsState {
    bool changed = false, held = false;
    std::string touched;   // path of the field that it happened to
    std::string rejected;  // a sentence about what was typed
    std::string context;   // path of the number whose slider was right-clicked
};

/// What may be chosen, with one line about each.
std::vector<Entry> entries_of(const ConstChoiceRef& choice);

/// Controls for every field of the experiment, under its sections; or for the field of one path alone.
ControlsState experiment_controls(Ui& ui, Experiment& experiment, std::string_view only = {});

/// Whether a figure has options to show controls for.
bool has_controls(const Figure& figure);

/// Controls for the fields of a struct whose paths, `prefix` included, are to be shown; `usual` is what they are reset
/// to.
ControlsState group_controls(Ui& ui, const GroupRef& group, const ConstGroupRef& usual, const std::string& prefix,
                             const std::function<bool(std::string_view path)>& shown);

/// Controls for a figure's options, of this head; below settings that it cannot be changed by stands why.
ControlsState figure_controls(Ui& ui, Figure& figure, const Experiment& experiment);

}  // namespace ropewalk
