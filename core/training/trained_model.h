// A trained network as a Model, so that everything that reads checkpoints reads it too.
#pragma once

#include <memory>
#include <span>

#include "core/models/model.h"
#include "core/training/recipe.h"

namespace ropewalk {

/// Returns the model of a valid recipe with a copy of these parameters, in the order of parameter_list. It is a Llama
/// without a folder and a tokenizer; its layers say which share of each head's logits is encoded.
std::shared_ptr<const Model> trained_model(const Recipe& recipe, std::span<const float> parameters);

/// Returns the model of a valid recipe without weights: its config, tokens and size. Its hash differs wherever the
/// start does. Takes no time, and recent ones are remembered.
std::shared_ptr<const Model> model_without_weights(const Recipe& recipe);

}  // namespace ropewalk
