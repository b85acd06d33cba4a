// The alignment of each token's query with its own key and the previous token's key (Barbero et al. 2024,
// arXiv:2410.06205, App. D.1, Tables 3–5).
#pragma once

#include <optional>
#include <vector>

#include "core/analysis/analysis_context.h"

namespace ropewalk {

/// Rotated q·k/√d of one token, as in the tables, whatever the experiment's scale; and the Cauchy–Schwarz bounds
/// ‖q‖‖k‖/√d, which are reached if the rotated vectors are parallel. Token 0 has no previous token.
struct TokenAlignment {
    int token = 0;
    double diagonal = 0, diagonal_bound = 0;
    std::optional<double> previous, previous_bound;
};

/// Asks for the alignment of the first `count` tokens.
struct AlignmentQuestion : QuestionDefaults {
    using Answer = std::vector<TokenAlignment>;
    static constexpr auto stage = "alignment";
    int count = 0;

    bool operator==(const AlignmentQuestion&) const = default;

    bool is_job(const Problem& problem) const { return std::int64_t{count} * problem.head_dim() > 200'000; }
    Answer answer(const AnalysisContext& context) const;
};

}  // namespace ropewalk
