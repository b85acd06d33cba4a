// Heads of any kind: every row of the viewport against all its keys, in float with exact phases.
#pragma once

#include "core/attention.h"
#include "core/cancel.h"
#include "core/cpu/workspace.h"

namespace ropewalk::cpu {

/// The view of any problem. Time is O(rows · seq_len · head_dim); memory is the keys in float up to a fixed limit,
/// beyond which they are made again for every group of rows, and a fixed amount besides. Problems with a bias or
/// damping, or whose ‖q‖‖k‖ is so large that float's rounding would show in the weights, are computed in double. Uses
/// the calling thread's TBB arena.
AttentionView attend_generally(const Problem& problem, const Viewport& viewport, Workspace& workspace,
                               const Cancel& cancel);

}  // namespace ropewalk::cpu
