#include "core/analysis/encodings/properties.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "core/analysis/encodings/robustness.h"
#include "core/analysis/heads/decay.h"

namespace ropewalk {
namespace {

/// Returns a row with 1/√pairs in the first channel of pairs [first, first + pairs).
std::vector<double> unit_vector(int head_dim, int first, int pairs) {
    std::vector<double> psi(static_cast<std::size_t>(head_dim));
    for (int pair = first; pair < first + pairs; ++pair) psi[2 * pair] = 1 / std::sqrt(static_cast<double>(pairs));
    return psi;
}

/// Returns a head with constant q and k, the problem's encoding and scale, and no bias.
Problem bare(const Problem& problem, std::vector<double> q, std::vector<double> k) {
    Problem head{.seq_len = problem.seq_len,
                 .lowered = problem.lowered,
                 .positions = problem.positions,
                 .scale = problem.scale,
                 .temperature = problem.temperature};
    head.lowered.bias_slope = 0;
    head.inputs = {.q = RowSource::constant(std::move(q)), .k = RowSource::constant(std::move(k))};
    return head;
}

/// Returns the rows to test: the last, which sees all that any other row sees, or evenly spread ones if rows differ.
std::vector<int> rows_tried(const Problem& problem, int target) {
    constexpr int most = 64;
    const int last = problem.seq_len - 1, count = problem.lowered.relative() ? 1 : std::min(most, last - target + 1);
    std::vector<int> rows;
    for (int i = 1; i <= count; ++i) rows.push_back(target + static_cast<int>(std::int64_t{last - target} * i / count));
    return rows;
}

/// Returns the step between tokens in positions, on average if positions are drawn.
std::int64_t usual_step(const Problem& problem) {
    const int last = problem.seq_len - 1;
    if (last == 0) return problem.positions.stride;
    return std::llround(static_cast<double>(problem.position(last) - problem.position(0)) / last);
}

PositionalAbility positional(const Problem& problem, int target, double epsilon, const Cancel& cancel) {
    PositionalAbility best{.target = target};
    if (target >= problem.seq_len) return best;
    const int all = problem.lowered.pairs();
    for (int pairs = 1; pairs < 2 * all; pairs *= 2) {
        const auto psi = unit_vector(problem.head_dim(), 0, std::min(pairs, all));
        auto k = psi;
        rotate(k, problem.lowered, PositionMap{}, target * usual_step(problem));
        Problem head = bare(problem, psi, k);
        std::optional<double> norm = 0;
        std::vector<TargetGaps> rows;
        for (const int row : rows_tried(problem, target)) {
            cancel.check();
            head.seq_len = row + 1;
            rows.push_back(target_gaps(head, target, head.seq_len, cancel));
            const auto needed = norm ? norm_needed(rows.back(), epsilon) : std::nullopt;
            norm = needed ? std::optional(std::max(*norm, *needed)) : std::nullopt;
        }
        double weight = 1;
        for (const TargetGaps& gaps : rows)
            weight = std::min(weight, min_target_weight(gaps, norm.value_or(largest_norm_tried)));
        const bool better = norm ? !best.norm_needed || *norm < *best.norm_needed : !best.norm_needed;
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
        ability.fails_at = first_failing_distance(*slowest, problem.positions.stride);
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

/// Returns the work of all heads that are tried (1, 2, 4, … and all pairs, for each of two targets) in all their rows.
double PropertiesQuestion::cost(const Problem& problem, const Backend&) const {
    // Multiply-adds per distance, for its weight at about ten norms; per pair and distance, for its wave in SIMD or in
    // scalar code.
    constexpr double weights = 5e3, in_vectors = 1, wave = 800;
    const LoweredEncoding& lowered = problem.lowered;
    if (!is_job(problem) || !lowered.rotates()) return 0;
    double distances = 0, far = 0;
    for (const int row : rows_tried(problem, 0)) {
        distances += row + 1.0;
        if (lowered.far) far += static_cast<double>(std::max<std::int64_t>(0, row + 1 - problem.first_far()));
    }
    double waves = in_vectors * distances;
    if (lowered.positions)  // where these are dense, the distances between them are summed, too
        waves = distances * std::min(wave, static_cast<double>(std::max<std::int64_t>(1, usual_step(problem))));
    else if (lowered.far)
        waves += wave * far * std::min(1.0, double(problem.positions.stride) / lowered.far->maps.key.group);
    const int heads = 2 * (std::bit_width(static_cast<unsigned>(lowered.pairs() - 1)) + 1);
    return heads * (weights * distances + waves * lowered.pairs());
}

std::optional<EncodingProperties> PropertiesQuestion::answer(const AnalysisContext& context) const {
    const Problem& problem = context.problem;
    if (!problem.lowered.rotates()) return std::nullopt;
    return EncodingProperties{.tokens = problem.seq_len,
                              .rows = static_cast<int>(rows_tried(problem, 0).size()),
                              .epsilon = epsilon,
                              .diagonal = positional(problem, 0, epsilon, context.cancel),
                              .previous_token = positional(problem, 1, epsilon, context.cancel),
                              .semantic = semantic(problem, context.cancel)};
}

}  // namespace ropewalk
