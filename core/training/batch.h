// The sequences that a model is trained and tested on. They depend on the recipe alone, and are the same on every
// machine.
#pragma once

#include <vector>

#include "core/training/recipe.h"

namespace ropewalk {

/// Tokens, and the token to predict at each of them, or `no_target`: [sequences, context].
struct Batch {
    int sequences = 0, context = 0;
    std::vector<int> tokens, targets;

    bool operator==(const Batch&) const = default;
};

/// Returns the batch of a step of a valid recipe, [batch, context]. Any step ≥ 0 may be asked for, in any order.
Batch batch_of(const Recipe& recipe, int step);

/// Returns sequences of any length that no step draws, [sequences, length].
Batch test_batch(const Recipe& recipe, int length, int sequences);

/// Returns the targets of the only sequence of `test_batch(recipe, length, 1)`, [length]; empty if the task is to
/// predict each next token of a text.
std::vector<int> test_targets(const Recipe& recipe, int length);

}  // namespace ropewalk
