#include "core/analysis/encodings/random_positions.h"

#include <algorithm>
#include <cmath>

#include "core/analysis/heads/decay.h"
#include "core/error.h"

namespace ropewalk {

DistanceDistribution distance_distribution(const RandomPositions& positions, int gap) {
    const std::int64_t n = positions.tokens, upper = positions.upper;
    ensure(n > 1 && upper >= n && gap >= 1 && gap < n, "random positions need 1 ≤ gap < N ≤ L");
    const std::int64_t min = gap, max = upper - n + gap;
    const std::int64_t mode = std::clamp((gap - 1) * upper / (n - 1) + 1, min, max);
    // P(r + 1)/P(r), applied from the largest probability outwards, so that nothing overflows and tiny ones underflow
    // to 0.
    const auto ratio = [&](std::int64_t r) {
        return static_cast<long double>(r) / (r - gap + 1) * (static_cast<long double>(max - r) / (upper - r));
    };
    constexpr long double negligible = 1e-26L;
    std::vector<long double> below, from_mode{1};
    for (std::int64_t r = mode; r < max && from_mode.back() > negligible; ++r)
        from_mode.push_back(from_mode.back() * ratio(r));
    long double weight = 1;
    for (std::int64_t r = mode - 1; r >= min && weight > negligible; --r) below.push_back(weight /= ratio(r));
    long double sum = 0;
    for (const auto* side : {&below, &from_mode})
        for (auto w = side->rbegin(); w != side->rend(); ++w) sum += *w;
    DistanceDistribution distribution{.first = static_cast<int>(mode) - static_cast<int>(below.size())};
    std::reverse(below.begin(), below.end());
    for (const auto* side : {&below, &from_mode})
        for (const long double w : *side) distribution.probability.push_back(static_cast<double>(w / sum));
    return distribution;
}

std::vector<RandomDecayPoint> random_position_decay(const Problem& problem, std::span<const double> q,
                                                    std::span<const double> k, const RandomPositions& positions,
                                                    std::span<const int> gaps, const Cancel& cancel) {
    Problem dense = problem;
    dense.positions.stride = 1;
    dense.lowered.positions = {};
    const auto logits = logits_by_distance(dense, q, k, positions.upper, cancel);
    std::vector<RandomDecayPoint> points;
    for (const int gap : gaps) {
        cancel.check();
        const DistanceDistribution d = distance_distribution(positions, gap);
        const auto expectation = [&](auto&& value) {
            long double sum = 0;
            for (std::size_t i = 0; i < d.probability.size(); ++i)
                sum += d.probability[i] * value(static_cast<std::size_t>(d.first) + i);
            return static_cast<double>(sum);
        };
        const double mean = expectation([&](std::size_t r) { return logits[r]; });
        const double variance = expectation([&](std::size_t r) { return (logits[r] - mean) * (logits[r] - mean); });
        points.push_back({.gap = gap,
                          .expected_distance = gap * (positions.upper + 1.0) / (positions.tokens + 1.0),
                          .mean = mean,
                          .sigma = std::sqrt(variance)});
    }
    return points;
}

std::vector<RandomDecayPoint> RandomPositionsQuestion::answer(const AnalysisContext& context) const {
    LoweredEncoding placed = context.problem.lowered;
    placed.positions = {};
    if (!placed.relative() || tokens < 2) return {};
    std::vector<int> gaps;
    for (int gap = 1; tokens <= points && gap < tokens; ++gap) gaps.push_back(gap);
    for (int i = 0; tokens > points && i < points; ++i) {
        const int gap = static_cast<int>(std::lround(std::pow(tokens - 1, i / (points - 1.0))));
        if (gap < tokens && (gaps.empty() || gap > gaps.back())) gaps.push_back(gap);
    }
    return random_position_decay(context.problem, context.problem.query(context.cursor.query),
                                 context.problem.key(context.cursor.key), {tokens, upper}, gaps, context.cancel);
}

}  // namespace ropewalk
