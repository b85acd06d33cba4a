// Rows whose statistics are held together, against the keys they see.
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

/// What the steps of one call share.
template <class T>
struct GeneralTask {
    const Problem& problem;
    const CellGeometry& cells;
    ScanSettings<T> settings;
    const Cancel& cancel;
    const KeyPlan plan;                       // of all keys
    const std::optional<KeySample> sample;    // nothing where all keys are looked at,
    const std::optional<KeyPlan> drawn_plan;  // like its plan
    bool keeps_entries = false;               // every column is its own cell: logits are kept, no statistics of cells
    StageClock clock{};
};

/// Listed rows whose statistics are held together.
template <class T>
struct RowGroup {
    Interval listed;  // range of row_index
    QueryPanels<T> queries;
};

/// What one thread holds of a block of keys: turned, [groups, head_dim, key_group], and of a panel that meets it: its
/// damped queries, [head_dim, panel_rows], and logits, [keys, panel_rows]. Nothing of it is for the next block.
template <class T>
struct KeyBlock {
    CachedNumbers<T> near, far, damped_queries, entries;
};

/// What one call leaves for the next of what it computed in T.
template <class T>
struct CachedInPrecision {
    KeyReader<T> keys;
    PanelScores<T> scores;
    tbb::enumerable_thread_specific<KeyBlock<T>> blocks;
};

/// Runs the group's panels over the keys they are to see, and takes what it wants of entries out of them. False if
/// float cannot hold the products. `variance` is added to where keys are drawn.
template <class T>
bool scan_group(GeneralTask<T>& task, RowGroup<T>& group, CachedInPrecision<T>& kept, AttentionView& view,
                SumVariance& variance);

}  // namespace ropewalk::cpu
