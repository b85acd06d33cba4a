// Which pairs carry the strongest interactions at each distance (Hong et al. 2024, section 4.2, eq. 14–16, Fig. 3–5).
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/analysis/analysis_context.h"

namespace ropewalk {

/// softmax(g)·(0, 1, … d/2 − 1): the pair about which the score comes from, between 0 and d/2 − 1, given each pair's
/// contribution g_t.
double dominant_dimension(std::span<const double> contributions);

struct DominanceOptions {
    Interval queries;          // of which at most
    int most_queries = 512;    // evenly spread ones are looked at,
    int keys_per_query = 100;  // each with its keys of highest logit, the nearest first among equals
};

/// Mean dominant dimension of all (query, key) selected at each distance that occurs, and its rank correlation with
/// the distance. `unrotated` is the same selection with R_m removed: g_t = q·k of the pair as it was before rotation,
/// times the attention scaling, which is no part of R_m.
struct Dominance {
    struct Point {
        int distance = 0;  // tokens
        int count = 0;
        double rotated = 0, unrotated = 0;
    };
    std::vector<Point> by_distance;  // nearest first
    std::optional<double> correlation, unrotated_correlation;
    int queries = 0;  // looked at
};

Dominance dominance(const Problem& problem, const DominanceOptions& options, Backend& backend, const Cancel& cancel);

struct DominanceQuestion {
    using Answer = Dominance;
    static constexpr auto stage = "dominance";
    static constexpr auto dependence = Dependence::experiment;
    int keys_per_query = 100;

    bool operator==(const DominanceQuestion&) const = default;

    static bool is_job(const Problem& problem) { return problem.seq_len > 128; }
    Answer answer(const AnalysisContext& context) const {
        return dominance(context.problem, {.queries = {0, context.problem.seq_len}, .keys_per_query = keys_per_query},
                         context.backend, context.cancel);
    }
};

}  // namespace ropewalk
