#include "core/analysis/properties.h"

#include <algorithm>
#include <cmath>

#include "core/analysis/decay.h"
#include "core/analysis/robustness.h"

namespace ropewalk {
namespace {

/// 1/√pairs in the first channel of pairs [first, first + pairs).
std::vector<double> unit_vector(int head_dim, int first, int pairs) {
    std::vector<double> psi(static_cast<std::size_t>(head_dim));
    for (int pair = first; pair < first + pairs; ++pair) psi[2 * pair] = 1 / std::sqrt(static_cast<double>(pairs));
    return psi;
}

/// The encoding alone: unscaled scores of a constant head.
Problem bare(const Problem& problem, std::vector<double> q, std::vector<double> k) {
    Problem head{.seq_len = problem.seq_len, .lowered = problem.lowered, .positions = problem.positions};
    head.lowered.bias_slope = 0;
    head.inputs = {.q = RowSource::constant(std::move(q)), .k = RowSource::constant(std::move(k))};
    return head;
}

PositionalAbility positional(const Problem& problem, int target, double epsilon, const Cancel& cancel) {
    PositionalAbility best{.target = target};
    if (target >= problem.seq_len) return best;
    const int all = problem.lowered.pairs();
    for (int pairs = 1; pairs < 2 * all; pairs *= 2) {
        cancel.check();
        const auto psi = unit_vector(problem.head_dim(), 0, std::min(pairs, all));
        auto k = psi;
        rotate(k, problem.lowered, PositionMap{}, std::int64_t{target} * problem.positions.stride);
        const TargetGaps gaps = target_gaps(bare(problem, psi, k), target, problem.seq_len, cancel);
        const auto norm = norm_needed(gaps, epsilon);
        const bool better = norm ? !best.norm_needed || *norm < *best.norm_needed : !best.norm_needed;
        const double weight = least_target_weight(gaps, norm.value_or(1e6));
        if (!better || (!norm && weight < best.best_weight)) continue;
        best = {.target = target, .norm_needed = norm, .pairs = std::min(pairs, all), .best_weight = weight};
    }
    return best;
}

SemanticAbility semantic(const Problem& problem, const Cancel& cancel) {
    const auto& inv_freq = problem.lowered.inv_freq;
    const auto slowest = std::min_element(inv_freq.begin(), inv_freq.end());
    SemanticAbility ability{.pair = static_cast<int>(slowest - inv_freq.begin()),
                            .inv_freq = static_cast<double>(*slowest)};
    if (problem.lowered.relative()) {
        ability.fails_at = first_failing_distance(*slowest * problem.positions.stride);
    } else {
        const auto s = unit_vector(problem.head_dim(), ability.pair, 1);
        const auto matches = logits_by_distance(bare(problem, s, s), s, s, problem.seq_len, cancel);
        const auto failed = std::find_if(matches.begin(), matches.end(), [](double match) { return match < 0; });
        if (failed != matches.end()) ability.fails_at = failed - matches.begin();
    }
    ability.robust = !ability.fails_at || *ability.fails_at >= problem.seq_len;
    return ability;
}

}  // namespace

EncodingProperties encoding_properties(const Problem& problem, double epsilon, const Cancel& cancel) {
    return {.tokens = problem.seq_len,
            .epsilon = epsilon,
            .diagonal = positional(problem, 0, epsilon, cancel),
            .previous_token = positional(problem, 1, epsilon, cancel),
            .semantic = semantic(problem, cancel)};
}

}  // namespace ropewalk
