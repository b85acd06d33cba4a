// Single entries of the attention matrix, and single numbers about its diagonals.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "core/analysis/analysis_context.h"

namespace ropewalk {

/// One entry. The score is computed in double, logit and weight by the backend. For a masked key the logit is −∞ and
/// the weight 0.
struct MatrixEntry {
    double score = 0, logit = 0, weight = 0;
};

/// Returns the entry as the sum of its pairs' parts, in double. `parts` come from `contributions`; `row_log_sum` is the
/// log-sum-exp of all logits of the row. Requires a visible key.
MatrixEntry entry_of_parts(const Problem& problem, int query, int key, std::span<const double> parts,
                           double row_log_sum);

/// Estimates the work of one row, with reading its keys, in multiply-adds. A number that is drawn takes about 60 ns
/// (measured), and is drawn again for each row of a long sequence.
inline double row_work(const Problem& problem) {
    const double per_number = problem.inputs.k.drawn() ? 1000 : 2;
    return per_number * problem.seq_len * problem.head_dim();
}

struct EntryQuestion : QuestionDefaults {
    using Answer = MatrixEntry;
    static constexpr auto stage = "entry";
    int query = 0, key = 0;

    bool operator==(const EntryQuestion&) const = default;

    /// Returns the question itself unless the row's keys alone take a whole frame: a quick answer lets the formula
    /// follow a drag.
    std::optional<EntryQuestion> coarsened(const Problem& problem) const {
        constexpr std::int64_t most_numbers = 1 << 24;  // of the keys
        const bool is_quick =
            problem.inputs.is_constant() || std::int64_t{problem.seq_len} * problem.head_dim() <= most_numbers;
        return is_quick ? std::optional(*this) : std::nullopt;
    }
    static double cost(const Problem& problem, const Backend&) { return row_work(problem); }
    Answer answer(const AnalysisContext& context) const;
};

/// Asks for the minimum weight on the key `distance` tokens back, over all rows that have one; 0 beyond the window.
struct MinWeightQuestion : QuestionDefaults {
    using Answer = double;
    static constexpr auto stage = "min weight";
    int distance = 0;

    bool operator==(const MinWeightQuestion&) const = default;

    /// Returns whether the last row has the minimum. That is so if the logits depend on the distance alone and no query
    /// sees keys after it, because then every row sees all distances that the row before it sees. Otherwise all rows
    /// are computed.
    static bool is_last_row(const Problem& problem) {
        return problem.mask != Mask::none && problem.depends_on_distance_only();
    }
    static double cost(const Problem& problem, const Backend&) {
        return (is_last_row(problem) ? 1.0 : problem.seq_len) * problem.seq_len * problem.head_dim();
    }
    static bool is_job(const Problem& problem) { return !is_last_row(problem) && problem.seq_len > 1024; }
    Answer answer(const AnalysisContext& context) const;
};

}  // namespace ropewalk
