// Heads whose logits depend on the distance alone: constant queries and keys under a relative encoding. Everything
// follows from the logits at every distance, in double and without ever visiting N² entries.
#pragma once

#include "core/attention.h"
#include "core/cancel.h"
#include "core/cpu/logit_origin.h"
#include "core/cpu/series.h"
#include "core/cpu/view.h"
#include "core/cpu/workspace.h"

namespace ropewalk::cpu {

/// Scores, attention_scaling included, and logits at all distances from `first` on.
struct KeptLogits {
    LogitOrigin origin;
    std::int64_t first = 0;
    std::vector<double> scores, logits;
};

/// What one call leaves for the next.
struct ToeplitzState {
    Workspace& workspace;
    LastTwo<KeptLogits> kept{};
};

/// The view of a problem that `depends_on_distance_only()`, every cell pooled exactly over all its entries (or over all
/// columns of its one row). Memory is O(seq_len). Uses the calling thread's TBB arena.
AttentionView attend_by_distance(const Problem& problem, const Viewport& viewport, ToeplitzState& state,
                                 const Cancel& cancel);

/// Logits at distances first … last(), in tokens.
struct LogitSeries {
    std::int64_t first = 0;
    std::span<const double> values;

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
    const Exponentials exponentials;  // of the logits, padded so that masked entries of cells count as 0

    SeriesTask series() const { return {logits.values, workspace, cancel}; }
};

/// A function of the distance over the columns of cells of `width`, by the distance to their first column. Where cells
/// have one row each, of those distances only that the listed rows have.
struct ColumnWindows {
    std::int64_t first = 0;  // distance of the first window
    WindowStatistics narrow, wide;

    const WindowStatistics& of(int width) const { return width == narrow.width ? narrow : wide; }
};
/// `values` are of the distances from `first` on.
ColumnWindows column_windows(const ToeplitzTask& task, const AttentionView& view, Interval listed, std::int64_t first,
                             std::span<const double> values, Outside outside);

/// Fills view.weights from the row statistics, pooled.
void pool_weights(const ToeplitzTask& task, AttentionView& view);

}  // namespace ropewalk::cpu
