// What an encoding lets a head do, computed (Barbero et al. 2024, arXiv:2410.06205, Table 1).
#pragma once

#include <cstdint>
#include <optional>

#include "core/analysis/analysis_context.h"

namespace ropewalk {

/// A positional head in the manner of Thm 5.3: q = ψ, k = Rʳψ, ψ equal in the fastest `pairs` pairs and 0 in the rest.
struct PositionalAbility {
    int target = 0;                     // r: 0 is the diagonal, 1 the previous token
    std::optional<double> norm_needed;  // least ‖ψ‖² with weight > 1 − ε in every row; nothing if none will do
    int pairs = 0;                      // with which that is, of 1, 2, 4, … all
    double best_weight = 0;             // least weight of any row at that norm, or at 10⁶ where none will do

    bool possible() const { return norm_needed.has_value(); }
};

/// A semantic channel in the manner of Thm 6.1: a match on the slowest pair, which a pair that is not rotated keeps at
/// any distance.
struct SemanticAbility {
    int pair = 0;
    double inv_freq = 0;                   // rad a position
    std::optional<std::int64_t> fails_at;  // distance in tokens where the match first counts against its key
    bool robust = false;                   // fails nowhere in the context
};

struct EncodingProperties {
    int tokens = 0;
    int rows = 0;  // tried: one where all see the same distances
    double epsilon = 0;
    PositionalAbility diagonal, previous_token;
    SemanticAbility semantic;
};

/// Of the problem's encoding over its own context, at its scale and temperature, whatever its queries and keys, and
/// without bias. Where positions are drawn, of these, and the previous token is sought at the mean step.
EncodingProperties encoding_properties(const Problem& problem, double epsilon, const Cancel& cancel);

struct PropertiesQuestion {
    using Answer = std::optional<EncodingProperties>;  // nothing where waves are added
    static constexpr auto stage = "properties";
    static constexpr auto dependence = Dependence::experiment;
    double epsilon = 0.01;

    bool operator==(const PropertiesQuestion&) const = default;

    static bool is_job(const Problem& problem) { return problem.seq_len * std::int64_t{problem.head_dim()} > 100'000; }
    Answer answer(const AnalysisContext& context) const {
        if (!context.problem.lowered.rotates()) return std::nullopt;
        return encoding_properties(context.problem, epsilon, context.cancel);
    }
};

}  // namespace ropewalk
