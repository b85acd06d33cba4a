// Rows whose statistics are held together, against the keys they see.
#pragma once

#include <optional>

#include "core/attention.h"
#include "core/cancel.h"
#include "core/cpu/key_sample.h"
#include "core/cpu/key_store.h"
#include "core/cpu/panel_scores.h"
#include "core/cpu/query_panels.h"
#include "core/cpu/row_scan.h"
#include "core/cpu/view.h"
#include "core/stage_time.h"

namespace ropewalk::cpu {

constexpr int task_panels = 2;             // panels that share one reading of a stretch of keys, at most
constexpr int task_keys = 64 * key_group;  // keys between two looks at whether the work is still wanted

/// What the steps of one call share.
template <class T>
struct GeneralTask {
    const Problem& problem;
    const CellGeometry& cells;
    ScanSettings<T> settings;
    const Cancel& cancel;
    const std::optional<KeySample> sample;  // nothing where all keys are looked at
    StageClock clock{};
};

/// Listed rows whose statistics are held together.
template <class T>
struct RowGroup {
    Interval listed;  // range of row_index
    QueryPanels<T> queries;
};

/// What one call leaves for the next of what it computed in T.
template <class T>
struct KeptInPrecision {
    KeyStore<T> keys;
    PanelScores<T> scores;
};

/// Runs the group's panels over the keys they are to see, and takes what it wants of entries out of them. False if
/// float cannot hold the products. `variance` is added to where keys are drawn.
template <class T>
bool scan_group(GeneralTask<T>& task, RowGroup<T>& group, KeptInPrecision<T>& kept, AttentionView& view,
                SumVariance& variance);

}  // namespace ropewalk::cpu
