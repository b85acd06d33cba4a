// Whether a head copies the token it looks at to the output (Wendler 2025, experiment 6).
#pragma once

#include "core/cancel.h"
#include "core/models/model.h"

namespace ropewalk {

/// Returns how often a token itself is among the ten whose logits rise most when the head attends to it alone: the
/// share of the vocabulary's tokens v with v among the ten largest of E_v · W_V · W_O · W_U. Layers between, and norms,
/// are ignored. Throws Cancelled.
double copying_of(const Model& model, int layer, int head, const Cancel& cancel);

}  // namespace ropewalk
