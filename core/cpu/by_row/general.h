// Heads of any kind: every row of the viewport against all its keys, in float with exact phases.
#pragma once

#include "core/attention/attention.h"
#include "core/cancel.h"
#include "core/cpu/by_row/group_scan.h"
#include "core/cpu/by_row/row_totals.h"
#include "core/cpu/logit_origin.h"
#include "core/machine/workspace.h"

namespace ropewalk::cpu {

/// What one call leaves for the next.
struct GeneralState {
    Workspace& workspace;
    LastTwo<RowTotals> totals{};
    ListedRows queries{};
    std::optional<CachedInPrecision<float>> floats{};
    std::optional<CachedInPrecision<double>> doubles{};
};

/// The view of any problem. Time is O(rows · seq_len · head_dim); memory is the keys in float, as they come, up to a
/// fixed limit, beyond which they are made again for every group of rows, and a fixed amount besides: keys are turned a
/// block at a time.
/// While scale and temperature alone change, scores are kept up to another limit, and time is O(rows · seq_len).
/// Problems with a bias or damping, or whose ‖q‖‖k‖ is so large that float's rounding would show in the weights, are
/// computed in double. Uses the calling thread's TBB arena.
AttentionView attend_generally(const Problem& problem, const Viewport& viewport, GeneralState& state,
                               const Cancel& cancel);

}  // namespace ropewalk::cpu
