// The context in which questions are answered.
#pragma once

#include <algorithm>
#include <functional>
#include <optional>

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

/// The base of all questions. Each question defines
///     Answer                      the type of its answer
///     stage                       its name among the times in the status bar
///     dependence(problem)         the part of the context that the answer depends on
///     answer(context) → Answer    throws Cancelled if the context's `cancel` requests it
/// and redefines of the following what it needs. A redefinition with another signature hides the default and does not
/// compile where evaluate.cpp calls it.
struct QuestionDefaults {
    /// Returns the question to ask for a preview, if it is quick enough.
    std::nullopt_t coarsened(const Problem&) const { return std::nullopt; }
    /// Estimates the work in multiply-adds, if it takes long.
    double cost(const Problem&, const Backend&) const { return 0; }
    /// Returns whether it runs as a separate job, which reports its progress and does not delay the worker.
    bool is_job(const Problem&) const { return false; }
    /// Returns a question whose answer serves both, if there is one.
    template <class Q>
    std::nullopt_t widened(const Q& /*other*/) const {
        return std::nullopt;
    }

    bool operator==(const QuestionDefaults&) const = default;
};

}  // namespace ropewalk
