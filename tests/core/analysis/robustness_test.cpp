// Positional robustness and semantic channels: the numbers of Barbero et al. and weights summed up here.
#include "core/analysis/encodings/robustness.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "core/attention/make_problem.h"
#include "core/attention/reference.h"
#include "core/constructions/construction_list.h"
#include "core/encodings/encoding_list.h"
#include "core/experiment/experiment.h"

namespace ropewalk {
namespace {

Problem head_at(int distance, int head_dim, int seq_len, double norm_squared = 1) {
    return make_problem({.head_dim = head_dim,
                         .seq_len = seq_len,
                         .construction = AtDistance{.distance = distance, .norm_squared = norm_squared}});
}

TEST(Robustness, SmallestWeightIsTheSmallestOfAllRows) {
    for (const Encoding& encoding : alternatives_of<Encoding>()) {
        for (const int target : {0, 1, 3}) {
            const Problem problem = make_problem({.head_dim = 16,
                                                  .seq_len = 60,
                                                  .encoding = encoding,
                                                  .construction = AtDistance{.distance = target, .norm_squared = 20},
                                                  .scale = Scale::sqrt_d,
                                                  .temperature = 0.5});
            // Elsewhere scores do not grow with the norm alone, or rows differ.
            if (!problem.lowered.rotates() || problem.lowered.positions) continue;
            const AttentionView view =
                make_reference_backend()->attend(problem, Viewport::one_to_one({0, 60}, {0, 60}), {});
            double min = 1;
            for (int i = target; i < 60; ++i) min = std::min(min, view.weights.mean[i * 60 + i - target]);
            const TargetGaps gaps = target_gaps(problem, target, 60, {});
            EXPECT_NEAR(min_target_weight(gaps, 20), min, 1e-12) << id_of(encoding) << " " << target;
        }
    }
}

// Without a mask rows see what comes after them; and no row has a token further back than the sequence is long.
TEST(Robustness, IsAskedOnlyOfWhatItIsKnownFor) {
    const Experiment any;
    const Cancel cancel;
    const auto backend = make_reference_backend();
    const auto answered = [&](const Problem& problem, int target) {
        return RobustnessQuestion{.target = target}.answer({any, problem, {}, *backend, cancel}).has_value();
    };
    Problem problem = head_at(1, 16, 20);
    EXPECT_TRUE(answered(problem, 19));
    EXPECT_TRUE(answered(problem, -1));
    EXPECT_FALSE(answered(problem, 20));
    problem.mask = Mask::none;
    EXPECT_FALSE(answered(problem, 1));
}

// Thm 5.3 with d = 64, base 10 000, ε = 0.01: the same for every N from some hundred to 1024.
TEST(Robustness, NormForTheDiagonalAndThePreviousToken) {
    const struct {
        int target;
        double needed;
    } known[] = {{0, 135.75}, {1, 156.23}};
    for (const auto& [target, needed] : known)
        for (const int n : {512, 1024}) {
            const TargetGaps gaps = target_gaps(head_at(target, 64, n), target, n, {});
            const auto norm = norm_needed(gaps, 0.01);
            ASSERT_TRUE(norm.has_value());
            EXPECT_NEAR(*norm, needed, 0.005) << target << " at " << n;
            EXPECT_NEAR(min_target_weight(gaps, *norm), 0.99, 1e-13);
            EXPECT_LT(min_target_weight(gaps, *norm * (1 - 1e-11)), 0.99);
        }
}

// One pair at 1 rad a token comes back near 0 whenever r is near a multiple of 2π: 44 = 7·2π + 0.0177, 710 = 113·2π +
// 6e-5.
TEST(Robustness, OneFastPairAloneNearlyReturns) {
    const TargetGaps gaps = target_gaps(head_at(0, 2, 1024), 0, 1024, {});
    const auto returns = side_peaks(gaps, 6);
    ASSERT_EQ(returns.size(), 6u);
    EXPECT_EQ(returns[0].distance, 710);
    EXPECT_EQ(returns[1].distance, 333);
    EXPECT_EQ(returns[2].distance, 377);
    bool has_44 = false;
    for (const SidePeak& near : returns) {
        const double off = std::remainder(near.distance, 2 * std::numbers::pi);
        EXPECT_NEAR(near.gap, off * off / 2, 1e-7);
        has_44 |= near.distance == 44;
    }
    EXPECT_TRUE(has_44);
    const auto norm = norm_needed(gaps, 0.01);
    ASSERT_TRUE(norm.has_value());
    EXPECT_NEAR(*norm / 2.5e9, 1, 0.02);
    EXPECT_NEAR(*norm, std::log(99) / (1 - std::cos(710 - 226 * std::numbers::pi_v<double>)),
                2e4);  // 710 alone decides
}

TEST(Robustness, WithoutRotationNoNormSinglesAnythingOut) {
    const Problem problem =
        make_problem({.seq_len = 50, .encoding = NoPE{}, .construction = AtDistance{.distance = 0}});
    const TargetGaps gaps = target_gaps(problem, 0, 50, {});
    EXPECT_EQ(norm_needed(gaps, 0.01), std::nullopt);
    EXPECT_NEAR(min_target_weight(gaps, 1e6), 1.0 / 50, 1e-15);
    EXPECT_EQ(norm_needed(target_gaps(problem, 0, 1, {}), 0.01), 0);
}

TEST(Robustness, SemanticChannelFailsAfterAQuarterTurn) {
    for (const double w : {1.0, 0.3, 0.01, 2.05353e-4, 1e-4}) {
        int r = 0;
        while (std::cos(r * w) >= 0) ++r;
        EXPECT_EQ(first_failing_distance(w), r) << w;
    }
    EXPECT_EQ(first_failing_distance(0), std::nullopt);
}

TEST(Robustness, AStrideMayStepOverTheTurnThatCountsAgainst) {
    for (const double w : {1.0, std::pow(100, -0.25), 0.1, 1e-3})
        for (const int stride : {1, 2, 4, 5, 6, 7, 13, 44, 710, 100'000}) {
            int r = 0;
            while (std::cos(static_cast<long double>(w) * stride * r) >= 0) ++r;
            EXPECT_EQ(first_failing_distance(w, stride), r) << w << " · " << stride;
        }
}

// 1 − cos x = 2 sin²(x/2), which keeps its digits where 710 tokens come back to within 6e-5 rad.
TEST(Robustness, SidePeaksKeepTheirDigits) {
    const TargetGaps gaps = target_gaps(head_at(0, 2, 1024), 0, 1024, {});
    for (int r = 0; r < 1024; ++r) {
        const long double half = std::sin(r / 2.0L), gap = 2 * half * half;
        EXPECT_LE(std::abs(gaps.per_norm[r] - static_cast<double>(gap)), 1e-11 * static_cast<double>(gap)) << r;
    }
}

TEST(Robustness, NeighboursOfTheTargetAreNoReturns) {
    const Problem problem = head_at(20, 64, 600);
    const TargetGaps gaps = target_gaps(problem, 20, 600, {});
    for (const SidePeak& near : side_peaks(gaps, 5)) {
        const int r = near.distance;
        EXPECT_LT(gaps.per_norm[r], gaps.per_norm[r - 1]);
        EXPECT_TRUE(r == 599 || gaps.per_norm[r] <= gaps.per_norm[r + 1]);
        EXPECT_GT(std::abs(r - 20), 1);
    }
    EXPECT_EQ(side_peaks(gaps, 5).size(), 5u);
}

}  // namespace
}  // namespace ropewalk
