// The heads that an encoding makes possible (Barbero et al. 2024, arXiv:2410.06205, Table 1).
#pragma once

#include <cstdint>
#include <optional>

#include "core/analysis/analysis_context.h"

namespace ropewalk {

inline constexpr double largest_norm_tried = 1e6;

/// A positional head as in Thm 5.3: q = ψ, k = Rʳψ, with ψ equal in the fastest `pairs` pairs and 0 in all others.
struct PositionalAbility {
    int target = 0;  // r: 0 is the diagonal, 1 the previous token
    std::optional<double>
        norm_needed;  // required norm: smallest ‖ψ‖² with weight > 1 − ε in every row; nothing if no norm is enough
    int pairs = 0;           // number of pairs with which it is reached, of 1, 2, 4, … all
    double best_weight = 0;  // minimum weight over all rows at that norm, or at `largest_norm_tried` if none is enough

    bool possible() const { return norm_needed.has_value(); }
};

/// A semantic channel as in Thm 6.1: a match on the slowest pair, which holds at every distance if that pair is not
/// rotated.
struct SemanticAbility {
    int pair = 0;
    double inv_freq = 0;                   // rad per position
    std::optional<std::int64_t> fails_at;  // first distance in tokens at which the match is negative
    bool robust = false;                   // never negative within the context
};

struct EncodingProperties {
    int tokens = 0;
    int rows = 0;  // tested; one if all rows see the same distances
    double epsilon = 0;
    PositionalAbility diagonal, previous_token;
    SemanticAbility semantic;
};

/// Asks for the properties of the encoding over the sequence length, at the head's scale and temperature. Queries, keys
/// and bias are ignored. If positions are drawn, the drawn ones are used, and the previous token is assumed at the mean
/// step.
struct PropertiesQuestion : QuestionDefaults {
    using Answer = std::optional<EncodingProperties>;  // empty if waves are added
    static constexpr auto stage = "properties";
    double epsilon = 0.01;

    bool operator==(const PropertiesQuestion&) const = default;

    static bool is_job(const Problem& problem) { return problem.seq_len * std::int64_t{problem.head_dim()} > 100'000; }
    double cost(const Problem& problem, const Backend& backend) const;
    Answer answer(const AnalysisContext& context) const;
};

}  // namespace ropewalk
