// Heads whose logits depend on the distance alone: constant queries and keys under a relative encoding. Everything follows
// from the logits at every distance, in double and without ever visiting N² entries.
#pragma once

#include "core/attention.h"
#include "core/cancel.h"

namespace ropewalk::cpu {

/// The view of a problem that `depends_on_distance_only()`, every cell pooled exactly over all its entries (or over all
/// columns of its one row). Memory is O(seq_len). Uses the calling thread's TBB arena.
AttentionView attend_by_distance(const Problem& problem, const Viewport& viewport, const Cancel& cancel);

}  // namespace ropewalk::cpu
