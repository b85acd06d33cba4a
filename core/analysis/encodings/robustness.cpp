#include "core/analysis/encodings/robustness.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>

#include "core/analysis/heads/decay.h"
#include "core/error.h"
#include "core/machine/parallel.h"

namespace ropewalk {
namespace {

constexpr double max_norm = 1e13;

double norm_of(std::span<const double> row) {
    double sum = 0;
    for (const double entry : row) sum += entry * entry;
    return std::sqrt(sum);
}

/// Returns ‖q‖‖k‖ of constant queries and keys.
double norm_of(const Problem& problem) {
    return norm_of(problem.inputs.q.constant_row()) * norm_of(problem.inputs.k.constant_row());
}

struct Gap {
    double per_norm = 0, fixed = 0;

    double at(double norm) const { return norm * per_norm + fixed; }
};

/// Returns the gaps of all distances but the target.
std::vector<Gap> other_gaps(const TargetGaps& gaps) {
    std::vector<Gap> others;
    for (int r = 0; r < static_cast<int>(gaps.per_norm.size()); ++r)
        if (r != gaps.target) others.push_back({gaps.per_norm[r], gaps.fixed[r]});
    return others;
}

/// Value and slope of log Σ exp(−gap), a convex function of the norm.
struct Rest {
    double log_sum = 0, slope = 0;
    Gap min;
};

Rest rest(std::span<const Gap> gaps, double norm) {
    const Gap min = *std::min_element(gaps.begin(), gaps.end(),
                                      [&](const Gap& a, const Gap& b) { return a.at(norm) < b.at(norm); });
    double sum = 0, moment = 0;
    for (const Gap& gap : gaps) {
        const double share = std::exp(min.at(norm) - gap.at(norm));
        sum += share;
        moment += share * gap.per_norm;
    }
    return {std::log(sum) - min.at(norm), -moment / sum, min};
}

}  // namespace

TargetGaps target_gaps(const Problem& problem, int target, int count, const Cancel& cancel) {
    ensure(problem.inputs.is_constant(), "target gaps need constant queries and keys");
    ensure(problem.lowered.rotates(), "target gaps need an encoding that rotates");
    ensure(target >= 0 && target < count, "the target must be one of the distances");
    const auto q = problem.inputs.q.constant_row(), k = problem.inputs.k.constant_row();
    Problem unbiased = problem;
    unbiased.lowered.bias_slope = 0;
    const auto falls = logit_falls(unbiased, q, k, target, count, cancel);
    const double norm = norm_of(problem);
    const double bias = problem.bias_per_token();
    TargetGaps gaps{.target = target};
    for (int r = 0; r < count; ++r) {
        gaps.per_norm.push_back(norm == 0 ? 0 : falls[r] / norm);
        gaps.fixed.push_back(bias * (r - target));
    }
    return gaps;
}

double min_target_weight(const TargetGaps& gaps, double norm) {
    if (gaps.per_norm.size() == 1) return 1;
    return 1 / (1 + std::exp(rest(other_gaps(gaps), norm).log_sum));
}

std::optional<double> norm_needed(const TargetGaps& gaps, double epsilon) {
    if (gaps.per_norm.size() == 1) return 0;
    // Weight > 1 − ε if log Σ exp(−gap) < log(ε/(1 − ε)). The left side is convex, so Newton's method from the left
    // converges without overshooting.
    const double allowed = std::log(epsilon) - std::log1p(-epsilon);
    std::vector<Gap> others = other_gaps(gaps);
    double norm = 0;
    for (int step = 0; step < 1000; ++step) {
        const auto [log_sum, slope, min] = rest(others, norm);
        if (log_sum <= allowed) return norm;
        const double further = norm + (allowed - log_sum) / slope;
        if (slope >= 0 || further > max_norm) return std::nullopt;  // it never falls that far
        if (further <= norm * (1 + 1e-13)) return further;
        // A gap that adds nothing now, and grows faster than the smallest one, will never add anything.
        std::erase_if(others, [at = norm, lowest = min](const Gap& gap) {
            return gap.at(at) > lowest.at(at) + 60 && gap.per_norm >= lowest.per_norm;
        });
        norm = further;
    }
    return std::nullopt;
}

std::vector<SidePeak> side_peaks(const TargetGaps& gaps, int most) {
    const std::vector<double>& gap = gaps.per_norm;
    const int count = static_cast<int>(gap.size());
    std::vector<SidePeak> returns;
    for (int r = 0; r < count; ++r) {
        const bool is_min = (r == 0 || gap[r] < gap[r - 1]) && (r + 1 == count || gap[r] <= gap[r + 1]);
        if (r != gaps.target && is_min) returns.push_back({r, gap[r]});
    }
    const auto kept = returns.begin() + std::min<std::ptrdiff_t>(most, static_cast<std::ptrdiff_t>(returns.size()));
    std::partial_sort(returns.begin(), kept, returns.end(), [](const SidePeak& a, const SidePeak& b) {
        return std::pair(a.gap, a.distance) < std::pair(b.gap, b.distance);
    });
    returns.erase(kept, returns.end());
    return returns;
}

std::optional<std::int64_t> first_failing_distance(long double inv_freq, std::int64_t stride) {
    // The cosine is the same for a step reduced by whole turns, and for the opposite direction.
    const long double pi = std::numbers::pi_v<long double>, turned = inv_freq * stride,
                      step = turned <= pi ? turned : std::abs(std::remainder(turned, 2 * pi));
    const long double quarter_turn = pi / (2 * step);
    if (!(quarter_turn < 0x1p62L)) return std::nullopt;
    return static_cast<std::int64_t>(std::ceil(quarter_turn));
}

std::optional<Robustness> RobustnessQuestion::answer(const AnalysisContext& context) const {
    const Problem& problem = context.problem;
    if (!problem.inputs.is_constant() || !problem.lowered.rotates() || problem.lowered.positions) return std::nullopt;
    if (problem.mask != Mask::causal || problem.softcap != 0 || target >= problem.seq_len) return std::nullopt;
    int aim = target;
    if (aim < 0) {
        const auto logits = logits_by_distance(problem, problem.inputs.q.constant_row(),
                                               problem.inputs.k.constant_row(), problem.seq_len, context.cancel);
        aim = static_cast<int>(std::max_element(logits.begin(), logits.end()) - logits.begin());
    }
    Robustness result{.gaps = target_gaps(problem, aim, problem.seq_len, context.cancel), .norm = norm_of(problem)};
    result.norm_needed = norm_needed(result.gaps, epsilon);
    result.weight = min_target_weight(result.gaps, result.norm);
    result.side_peaks = side_peaks(result.gaps, 5);
    constexpr int points = 121;
    const double needed = result.norm_needed.value_or(0), middle = needed > 0 ? needed : 1e3;
    for (int i = 0; i < points; ++i) result.norms.push_back(middle * std::pow(10, -2 + 3.0 * i / (points - 1)));
    for (int length = 64; length < problem.seq_len; length *= 16)
        if (length > aim) result.lengths.push_back(length);
    result.lengths.push_back(problem.seq_len);
    for (const int length : result.lengths) {
        TargetGaps part = result.gaps;
        part.per_norm.resize(static_cast<std::size_t>(length));
        part.fixed.resize(static_cast<std::size_t>(length));
        auto& weights = result.weights.emplace_back();
        weights.resize(points);
        for_each_in_parallel(points, [&](int i) {
            context.cancel.check();
            weights[i] = min_target_weight(part, result.norms[i]);
        });
    }
    return result;
}

}  // namespace ropewalk
