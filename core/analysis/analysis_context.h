// The context in which questions are answered.
#pragma once

#include <algorithm>
#include <functional>

#include "core/attention/backend.h"
#include "core/experiment/experiment.h"

namespace ropewalk {

/// The query, key and pair that all figures point at. Inside the matrix once `clamped`.
struct Cursor {
    int query = 0, key = 0, pair = 0;

    int distance() const { return query - key; }
    /// Returns the cursor at `distance` [tokens]: moves the key, and the query only if necessary.
    Cursor at_distance(int distance, int seq_len) const;
    Cursor clamped(const Experiment& experiment) const;
    bool operator==(const Cursor&) const = default;
};

/// Callback for the completed fraction of a long job, from 0 to 1. May be empty.
using Progress = std::function<void(double fraction)>;

/// The analysed head, and what computing on it needs. `problem` is the experiment lowered for computation.
struct AnalysisContext {
    const Experiment& experiment;
    const Problem& problem;
    Cursor cursor;
    Backend& backend;
    const Cancel& cancel;
    Progress progress{};
};

/// The part of the context that an answer depends on, besides the question: it is recomputed when that part changes.
enum class Dependence { nothing, encoding, experiment, experiment_and_query, experiment_and_cell };

}  // namespace ropewalk
