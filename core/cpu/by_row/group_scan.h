// Scans groups of rows against the keys they see.
#pragma once

#include <tbb/enumerable_thread_specific.h>

#include <optional>

#include "core/attention/attention.h"
#include "core/cancel.h"
#include "core/cpu/by_row/key_plan.h"
#include "core/cpu/by_row/key_reader.h"
#include "core/cpu/by_row/key_sample.h"
#include "core/cpu/by_row/panel_scores.h"
#include "core/cpu/by_row/query_panels.h"
#include "core/cpu/kernels/row_scan.h"
#include "core/cpu/view.h"
#include "core/stage_time.h"

namespace ropewalk::cpu {

/// The context that the steps of one call share.
template <class T>
struct GeneralTask {
    const Problem& problem;
    const CellGeometry& cells;
    ScanSettings<T> settings;
    const Cancel& cancel;
    const KeyPlan plan;                       // of all keys
    const std::optional<KeySample> sample;    // nothing if all keys are used
    const std::optional<KeyPlan> drawn_plan;  // plan of the sample
    bool keeps_entries = false;               // every column is a cell: logits are stored, no statistics of cells
    StageClock clock{};
};

/// Listed rows whose statistics are in memory together.
template <class T>
struct RowGroup {
    Interval listed;  // range of row_index
    QueryPanels<T> queries;
};

/// A thread's buffers for a block of keys: rotated keys, [groups, head_dim, key_group]; and for one panel against it,
/// its damped queries, [head_dim, panel_rows], and logits, [keys, panel_rows]. Nothing is reused for the next block.
template <class T>
struct KeyBlock {
    CachedNumbers<T> near, far, damped_queries, entries;
};

/// State in T that one call keeps for the next.
template <class T>
struct CachedInPrecision {
    KeyReader<T> keys;
    PanelScores<T> scores;
    tbb::enumerable_thread_specific<KeyBlock<T>> blocks;
};

/// Scans the group's panels over their keys, and copies the wanted entries. Returns false if the products exceed the
/// range of float. Adds to `variance` if keys are sampled.
template <class T>
bool scan_group(GeneralTask<T>& task, RowGroup<T>& group, CachedInPrecision<T>& cached, AttentionView& view,
                SumVariance& variance);

}  // namespace ropewalk::cpu
