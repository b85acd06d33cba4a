// Heads whose logits depend on the distance alone: constant queries and keys under a relative encoding. Everything is
// computed from the logits at every distance, in double and without visiting N² entries.
#pragma once

#include <optional>
#include <vector>

#include "core/attention/attention.h"
#include "core/cancel.h"
#include "core/cpu/logit_origin.h"
#include "core/cpu/view.h"
#include "core/machine/workspace.h"
#include "core/series/series.h"
#include "core/series/sum_by_distance.h"
#include "core/series/window_table.h"

namespace ropewalk::cpu {

/// Cached scores of the directions of q and k, without attention_scaling, at all distances from `first` on.
struct CachedScores {
    ScoreOrigin origin;
    std::int64_t first = 0;
    Numbers scores;
    double max_possible = 0;  // Σ of the waves' amplitudes, a bound on the scores; ∞ with damping
};

/// State that one call keeps for the next.
struct ToeplitzState {
    Workspace& workspace;
    LastTwo<CachedScores> cached{};
};

/// Returns the view of a problem without a window that `depends_on_distance_only()`, every cell pooled exactly over all
/// its entries (or over all columns of its one row). Memory is O(seq_len). Uses the calling thread's TBB arena.
AttentionView attend_by_distance(const Problem& problem, const Viewport& viewport, ToeplitzState& state,
                                 const Cancel& cancel);

/// The context that the steps of `attend_by_distance` share.
struct ToeplitzTask {
    const Problem& problem;
    const LogitSeries& logits;  // all that the viewport's rows see
    const CellGeometry& cells;
    Workspace& workspace;
    const Cancel& cancel;
    StageClock& clock;
    const std::optional<double> reference;  // near all logits, if possible
};

/// Computes view.logits, pooled.
void pool_logits(const ToeplitzTask& task, AttentionView& view);

/// Returns empty windows for the exponentials of logits that the weights of some rows' cells need. They begin a whole
/// number of pieces after the first logit.
DistanceWindows exponential_windows(const ToeplitzTask& task, const Viewport& viewport, Interval rows);

/// Computes view.weights from the row statistics, pooled. `windows` are over all rows' exponentials relative to
/// task.reference, if available.
void pool_weights(const ToeplitzTask& task, const std::optional<DistanceWindows>& windows, AttentionView& view);

}  // namespace ropewalk::cpu
