// Single entries of the attention matrix, and what can be said of one of its rows or diagonals in a number.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "core/analysis/analysis_context.h"

namespace ropewalk {

/// One entry. The score is found in double, logit and weight as the backend computes them; the logit is −∞ and the
/// weight 0 where the mask hides the key.
struct MatrixEntry {
    double score = 0, logit = 0, weight = 0;
};

/// The entry as its pairs' parts add up to it, in double: `parts` of `contributions`, and the row's log-sum-exp of all
/// its logits. Of a key that the mask does not hide.
MatrixEntry entry_of_parts(const Problem& problem, int query, int key, std::span<const double> parts,
                           double row_log_sum);

struct EntryQuestion {
    using Answer = MatrixEntry;
    static constexpr auto stage = "entry";
    static constexpr auto dependence = Dependence::experiment;
    int query = 0, key = 0;

    bool operator==(const EntryQuestion&) const = default;

    /// One row is quick, unless it is so long that its keys alone take a frame: the formula then follows a drag.
    std::optional<EntryQuestion> coarsened(const Problem& problem) const {
        constexpr std::int64_t most_numbers = 1 << 24;  // of keys
        const bool is_quick =
            problem.inputs.is_constant() || std::int64_t{problem.seq_len} * problem.head_dim() <= most_numbers;
        return is_quick ? std::optional(*this) : std::nullopt;
    }
    Answer answer(const AnalysisContext& context) const;
};

/// The least weight that any row gives the key so many tokens before it, over all rows that have one.
struct MinWeightQuestion {
    using Answer = double;
    static constexpr auto stage = "least weight";
    static constexpr auto dependence = Dependence::experiment;
    int distance = 0;

    bool operator==(const MinWeightQuestion&) const = default;

    /// Where the logits follow from the distance alone the last row has it, because every row sees under the causal
    /// mask all that the row before it sees; else all rows are gone through.
    static bool is_last_row(const Problem& problem) {
        return problem.mask == Mask::causal && problem.depends_on_distance_only();
    }
    static double cost(const Problem& problem, const Backend&) {
        return (is_last_row(problem) ? 1.0 : problem.seq_len) * problem.seq_len * problem.head_dim();
    }
    static bool is_job(const Problem& problem) { return !is_last_row(problem) && problem.seq_len > 1024; }
    Answer answer(const AnalysisContext& context) const;
};

}  // namespace ropewalk
