// All other heads: every row of the viewport against all its keys, in float with exact phases.
#pragma once

#include <optional>
#include <tuple>

#include "core/attention/attention.h"
#include "core/cancel.h"
#include "core/cpu/by_row/group_scan.h"
#include "core/cpu/by_row/row_totals.h"
#include "core/cpu/logit_origin.h"
#include "core/machine/workspace.h"

namespace ropewalk::cpu {

/// State that one call keeps for the next.
struct GeneralState {
    Workspace& workspace;
    LastTwo<RowTotals> totals{};
    ListedRows queries{};
    std::tuple<std::optional<CachedInPrecision<float>>, std::optional<CachedInPrecision<double>>> by_precision{};

    template <class T>
    void release() {
        std::get<std::optional<CachedInPrecision<T>>>(by_precision).reset();
    }
};

/// Returns the view of any problem. Time is O(rows · seq_len · head_dim). Memory is a fixed amount plus the unrotated
/// keys in float, up to a limit beyond which they are read again for every group of rows; keys are rotated one block at
/// a time.
/// If only scale or temperature changes, cached scores, up to another limit, reduce the time to O(rows · seq_len).
/// Problems with a bias or damping, or with such large ‖q‖‖k‖ that float's rounding would show in the weights, are
/// computed in double. Uses the calling thread's TBB arena.
AttentionView attend_generally(const Problem& problem, const Viewport& viewport, GeneralState& state,
                               const Cancel& cancel);

}  // namespace ropewalk::cpu
