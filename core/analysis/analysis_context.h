// What a question is asked about.
#pragma once

#include <algorithm>
#include <functional>

#include "core/attention/backend.h"
#include "core/experiment/experiment.h"

namespace ropewalk {

/// What all figures point at: one query, one key, one pair. Always inside the matrix once `clamped`.
struct Cursor {
    int query = 0, key = 0, pair = 0;

    int distance() const { return query - key; }
    /// The cursor at a distance: the key moves, and the query only where it must.
    Cursor at_distance(int distance, int seq_len) const;
    Cursor clamped(const Experiment& experiment) const;
    bool operator==(const Cursor&) const = default;
};

/// Told how much of a long job is done, from 0 to 1. May be empty.
using Progress = std::function<void(double fraction)>;

/// The head that is looked at, and the means to compute on it. `problem` is the experiment made concrete.
struct AnalysisContext {
    const Experiment& experiment;
    const Problem& problem;
    Cursor cursor;
    Backend& backend;
    const Cancel& cancel;
    Progress progress{};
};

/// What of a subject an answer follows from, besides the question itself: it is found anew when that changes.
enum class Dependence { nothing, encoding, experiment, experiment_and_query, experiment_and_cell };

}  // namespace ropewalk
