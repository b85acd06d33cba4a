// Follows a model: puts on the experiment what a learned head was trained with.
#pragma once

#include "core/experiment/experiment.h"

namespace ropewalk {

/// Adapts `experiment`, which was `before` until one field changed. Choosing a model, or a text, takes over the number
/// of tokens and everything that the layer was trained with. Moving to another layer takes over what was the old
/// layer's own; what somebody has changed stays.
void conform(Experiment& experiment, const Experiment& before);

/// Returns what a learned head was trained with: `experiment` with its layer's own encoding, pairing, scale, mask and
/// head dimension. The same experiment for any other construction.
Experiment as_trained(Experiment experiment);

}  // namespace ropewalk
