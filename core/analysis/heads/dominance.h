// The pairs that dominate the largest scores at each distance (Hong et al. 2024, section 4.2, eq. 14–16, Fig. 3–5).
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/analysis/analysis_context.h"

namespace ropewalk {

/// Returns softmax(g)·(0, 1, … d/2 − 1), the mean pair number weighted by the contributions g_t; between 0 and d/2 − 1.
double dominant_dimension(std::span<const double> contributions);

/// The mean dominant dimension of all selected (query, key) at each distance that occurs, and its rank correlation with
/// the distance. `unrotated` uses the same selection without R_m: g_t = q·k of the pair before rotation, times the
/// attention scaling, which is not part of R_m.
struct Dominance {
    struct Point {
        int distance = 0;  // tokens
        int count = 0;
        double rotated = 0, unrotated = 0;
    };
    std::vector<Point> by_distance;  // nearest first
    std::optional<double> correlation, unrotated_correlation;
    int queries = 0;  // sampled
};

struct DominanceQuestion : QuestionDefaults {
    using Answer = Dominance;
    static constexpr auto stage = "dominance";
    int keys_per_query = 100;  // those with the highest logits, the nearest first among equals

    bool operator==(const DominanceQuestion&) const = default;

    static bool is_job(const Problem& problem) { return problem.seq_len > 128; }
    Answer answer(const AnalysisContext& context) const;
};

}  // namespace ropewalk
