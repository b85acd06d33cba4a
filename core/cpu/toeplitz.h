// Heads whose logits depend on the distance alone: constant queries and keys under a relative encoding. Everything
// follows from the logits at every distance, in double and without ever visiting N² entries.
#pragma once

#include "core/attention.h"
#include "core/cancel.h"
#include "core/cpu/view.h"
#include "core/cpu/workspace.h"

namespace ropewalk::cpu {

/// The view of a problem that `depends_on_distance_only()`, every cell pooled exactly over all its entries (or over all
/// columns of its one row). Memory is O(seq_len). Uses the calling thread's TBB arena.
AttentionView attend_by_distance(const Problem& problem, const Viewport& viewport, Workspace& workspace,
                                 const Cancel& cancel);

/// Logits at distances first … last(), in tokens.
struct LogitSeries {
    std::int64_t first = 0;
    Workspace::Array<double> values;

    std::int64_t last() const { return first + static_cast<std::int64_t>(values.size()) - 1; }
    double at(std::int64_t distance) const { return values[static_cast<std::size_t>(distance - first)]; }
    std::span<const double> range(std::int64_t from, std::int64_t to) const {
        return {values.data() + (from - first), static_cast<std::size_t>(to - from + 1)};
    }
};

/// What the steps of `attend_by_distance` share.
struct ToeplitzTask {
    const Problem& problem;
    const LogitSeries& logits;  // all that rows of the viewport see
    const CellGeometry& cells;
    Workspace& workspace;
    const Cancel& cancel;
};

/// Fills view.weights from the row statistics, pooled.
void pool_weights(const ToeplitzTask& task, AttentionView& view);

}  // namespace ropewalk::cpu
