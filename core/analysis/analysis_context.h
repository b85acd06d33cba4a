// What questions are asked about, and what their answers depend on.
#pragma once

#include <algorithm>
#include <optional>

#include "core/attention/backend.h"
#include "core/cancel.h"
#include "core/experiment/experiment.h"

namespace ropewalk {

/// The query, key and pair that all figures point at. Inside the matrix once `clamped`.
struct Cursor {
    int query = 0, key = 0, pair = 0;

    int distance() const { return query - key; }
    /// Returns the cursor at `distance` [tokens]: moves the key, and the query only if necessary.
    Cursor at_distance(int distance, int seq_len) const {
        const int moved = std::clamp(std::max(query, distance), 0, seq_len - 1);
        return {moved, std::clamp(moved - distance, 0, seq_len - 1), pair};
    }
    Cursor clamped(const Experiment& experiment) const {
        return {std::clamp(query, 0, experiment.seq_len - 1), std::clamp(key, 0, experiment.seq_len - 1),
                std::clamp(pair, 0, experiment.head_dim / 2 - 1)};
    }
    bool operator==(const Cursor&) const = default;
};

/// The analysed head, and what computing on it needs. `problem` is the experiment lowered for computation.
struct AnalysisContext {
    const Experiment& experiment;
    const Problem& problem;
    Cursor cursor;
    Backend& backend;
    const Cancel& cancel;
    Progress progress{};
};

/// What a question asks about: a head and the cursor. `lowered` is the experiment's encoding.
struct HeadAtCursor {
    const Experiment& experiment;
    const LoweredEncoding& lowered;
    Cursor cursor;
};

/// All that an answer depends on. Everything else has its default, so that equal dependences have equal answers.
struct Dependence {
    Experiment experiment{};
    LoweredEncoding lowered{};
    Cursor cursor{};

    bool operator==(const Dependence&) const = default;

    static Dependence on_query(const HeadAtCursor& head) {
        return {.experiment = head.experiment, .cursor = {.query = head.cursor.query}};
    }
    static Dependence on_cell(const HeadAtCursor& head) {
        return {.experiment = head.experiment, .cursor = {.query = head.cursor.query, .key = head.cursor.key}};
    }
    /// Returns the dependence on the cursor's query and key; if all rows are equal, on neither.
    static Dependence on_rows(const HeadAtCursor& head) {
        if (!has_constant_rows(head.experiment.construction)) return on_cell(head);
        return {.experiment = head.experiment};
    }
};

/// The base of all questions. Each question defines
///     Answer                      the type of its answer
///     stage                       its name among the times in the status bar
///     answer(context) → Answer    throws Cancelled if the context's `cancel` requests it
/// and redefines of the following what it needs. A redefinition with another signature hides the default and does not
/// compile where evaluate.cpp calls it.
struct QuestionDefaults {
    /// Whether the answer depends on queries and keys.
    static constexpr bool reads_inputs = true;
    /// Whether the answer needs the whole run of a model, not only its layers up to the head's.
    static constexpr bool reads_whole_run = false;
    /// Returns what the answer depends on: the experiment, but not the cursor.
    static Dependence dependence(const HeadAtCursor& head) { return {.experiment = head.experiment}; }
    /// Returns the question to ask for a preview, if it is quick enough.
    std::nullopt_t coarsened(const Problem&) const { return std::nullopt; }
    /// Estimates the work in multiply-adds, if it takes long.
    double cost(const Problem&, const Backend&) const { return 0; }
    /// Estimates the work in multiply-adds of the models that are trained and run for this answer alone, without the
    /// training and the run that the head needs. All work for another head counts.
    double model_work(const Experiment&) const { return 0; }
    /// Returns whether it runs as a separate job, which reports its progress and does not delay the worker.
    bool is_job(const Problem&) const { return false; }
    /// Returns whether it is a job because it is about another head that takes long.
    bool is_about_long_head(const Experiment&) const { return false; }
    /// Returns a question whose answer serves both, if there is one.
    template <class Q>
    std::nullopt_t widened(const Q& /*other*/) const {
        return std::nullopt;
    }

    bool operator==(const QuestionDefaults&) const = default;
};

}  // namespace ropewalk
