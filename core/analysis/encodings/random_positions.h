// RoPE's decay with positions drawn at random (Ruoss et al. 2023; Barbero et al. 2024, arXiv:2410.06205, App. B.2 and
// Fig. 8): N tokens at N of the positions 1 … L, sorted, without replacement.
#pragma once

#include <span>
#include <vector>

#include "core/analysis/analysis_context.h"

namespace ropewalk {

struct RandomPositions {
    int tokens = 0;  // N
    int upper = 0;   // L ≥ N
};

/// P(D = first + i) for the distance D between two tokens that are `gap` tokens apart (1 … N − 1):
/// P(D = r) = C(r−1, gap−1)·C(L−r, N−gap)/C(L, N), with mean gap·(L+1)/(N+1). Improbable ends of less than 1e-18 in
/// total are omitted.
struct DistanceDistribution {
    int first = 0;
    std::vector<double> probability;
};

DistanceDistribution distance_distribution(const RandomPositions& positions, int gap);

/// Mean and σ of the logit over all draws of the positions, for tokens `gap` apart, as exact sums without sampling.
struct RandomDecayPoint {
    int gap = 0;
    double expected_distance = 0, mean = 0, sigma = 0;
};

/// Returns the decay of one fixed (q, k), [head_dim] in pair order, at each gap given. The logit is that of the
/// problem, with a stride of one position.
std::vector<RandomDecayPoint> random_position_decay(const Problem& problem, std::span<const double> q,
                                                    std::span<const double> k, const RandomPositions& positions,
                                                    std::span<const int> gaps, const Cancel& cancel);

/// Asks for the exact expected logits of the head's constant query and key, or else of the cursor's, at gaps of 1, 2, 3
/// … tokens: all gaps or, if there are many, `points` logarithmically spaced ones. The answer is empty if scores depend
/// on more than the distance between positions.
struct RandomPositionsQuestion : QuestionDefaults {
    using Answer = std::vector<RandomDecayPoint>;
    static constexpr auto stage = "random positions";
    static constexpr int points = 4096;
    int tokens = 0, upper = 0;

    bool operator==(const RandomPositionsQuestion&) const = default;

    static Dependence dependence(const HeadAtCursor& head) { return Dependence::on_rows(head); }
    bool is_job(const Problem&) const { return upper > 1 << 13 || tokens > 1 << 10; }
    Answer answer(const AnalysisContext& context) const;
};

}  // namespace ropewalk
