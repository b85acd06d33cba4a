// LinearWeights layers and norms of whole activations, on all cores.
#pragma once

#include <cstdint>

#include "core/cancel.h"
#include "core/models/model.h"
#include "core/models/run/activations.h"

namespace ropewalk {

/// Returns W x + bias, [tokens, rows], for rows [first, first + rows) of the layer. Weights are widened as they are
/// packed; sums of 128 products are added in turn, whatever the threads. Throws Cancelled.
Activations apply(const LinearWeights& linear, const Activations& x, const Cancel& cancel);
Activations apply_rows(const LinearWeights& linear, std::int64_t first, std::int64_t rows, const Activations& x,
                       const Cancel& cancel);

/// Replaces x by its norm over `channels` channels at a time. The weights are those of one part, or of all.
void normalize(Activations& x, std::int64_t channels, const NormWeights& weights, Norm kind, double epsilon);

/// Adds y to x.
void add(Activations& x, const Activations& y);

}  // namespace ropewalk
