// The cpu backend under every encoding, against brute force in long double.
#include <gtest/gtest.h>

#include "core/attention/make_problem.h"
#include "core/constructions/construction_list.h"
#include "core/encodings/encoding_list.h"
#include "core/series/sum_by_distance.h"
#include "tests/core/attention/cpu_agreement.h"
#include "tests/core/attention/cpu_instruction_sets.h"
#include "tests/core/attention/cpu_problems.h"

namespace ropewalk {
namespace {

using namespace cpu_test;

class CpuEncodings : public testing::TestWithParam<std::tuple<int, int>> {};

TEST_P(CpuEncodings, AgreeWithTheDefinition) {
    const auto& [seq_len, head_dim] = GetParam();
    for (const Construction& construction : {Construction(Gaussian{}), Construction(SameVector{})})
        for (const Mask mask : {Mask::causal, Mask::none})
            for_each_encoding({.head_dim = head_dim,
                               .seq_len = seq_len,
                               .pairing = Pairing::half_split,
                               .construction = construction,
                               .mask = mask,
                               .scale = Scale::sqrt_d,
                               .temperature = 0.7,
                               .positions = {.start = 1000, .stride = 3}},
                              [](const Experiment& experiment) { expect_agreement(make_problem(experiment)); });
}

INSTANTIATE_TEST_SUITE_P(Shapes, CpuEncodings,
                         testing::Values(std::tuple{1, 2}, std::tuple{2, 6}, std::tuple{3, 256}, std::tuple{7, 4},
                                         std::tuple{8, 64}, std::tuple{9, 2}, std::tuple{63, 6}, std::tuple{65, 64},
                                         std::tuple{257, 8}));

// xPos at a stride of 26 000 leaves e^−64 of the fastest pair from one token to the next: keys are undamped a few at a
// time. Sinusoidal waves are added at whole positions of a million.
TEST(CpuEncodings, HoldAtHighPositions) {
    for (const Construction& construction : {Construction(Gaussian{}), Construction(SameVector{})}) {
        for (const Encoding& encoding :
             {Encoding(XPos{}), Encoding(Sinusoidal{}), Encoding(RandomRope{.upper = 1 << 24})}) {
            for (const Positions positions :
                 {Positions{.start = 1 << 20, .stride = 1}, {.start = 0, .stride = 26'000}}) {
                const Experiment experiment{.head_dim = 64,
                                            .seq_len = 65,
                                            .encoding = encoding,
                                            .construction = construction,
                                            .positions = positions};
                ASSERT_EQ(validate(experiment).value_or(""), "");
                ASSERT_NO_FATAL_FAILURE(expect_agreement(make_problem(experiment))) << id_of(encoding);
            }
        }
    }
}

// Damping from one token to the next so strong that the keys come in many stretches, and without a mask so strong that
// amplification ends just inside its limit.
TEST(CpuEncodings, XPosAtItsLimits) {
    const Experiment damped{
        .head_dim = 8, .seq_len = 200, .encoding = XPos{.scale_base = 1}, .positions = {.start = 0, .stride = 60}};
    const Experiment amplified{.head_dim = 8, .seq_len = 180, .encoding = XPos{.scale_base = 1}, .mask = Mask::none};
    for (Experiment experiment : {damped, amplified}) {
        for (const Construction& construction : {Construction(Gaussian{}), Construction(Ones{})}) {
            experiment.construction = construction;
            ASSERT_EQ(validate(experiment).value_or(""), "");
            ASSERT_NO_FATAL_FAILURE(expect_agreement(make_problem(experiment)));
        }
    }
}

// Logits that span 40 powers of ten: sums over far cells must not drown in what is near.
TEST(CpuEncodings, XPosOfLargeVectors) {
    for (const Mask mask : {Mask::causal, Mask::none})
        for (const double amplitude : {1e12, 1e30, 1e100})
            ASSERT_NO_FATAL_FAILURE(expect_agreement(make_problem({.head_dim = 8,
                                                                   .seq_len = 120,
                                                                   .encoding = XPos{.scale_base = 2},
                                                                   .construction = Bands{.amplitudes = {amplitude}},
                                                                   .mask = mask})))
                << amplitude;
}

TEST(CpuEncodings, AgreeOnEveryInstructionSet) {
    on_every_instruction_set([] {
        for (const Construction& construction : {Construction(Gaussian{}), Construction(Ones{})})
            for_each_encoding({.head_dim = 10, .seq_len = 65, .construction = construction},
                              [](const Experiment& experiment) { expect_agreement(make_problem(experiment)); });
    });
}

TEST(CpuEncodings, AreBitIdenticalForAnyNumberOfThreads) {
    for (const Construction& construction : {Construction(Gaussian{}), Construction(SameVector{})}) {
        for_each_encoding({.head_dim = 16, .seq_len = 399, .construction = construction},
                          [](const Experiment& experiment) {
                              const Problem problem = make_problem(experiment);
                              const Viewport viewport{{11, 399}, {3, 390}, 97, 101, RowSampling::all};
                              const AttentionView one = make_cpu_backend(1)->attend(problem, viewport, {});
                              for (const int threads : {2, 3, 8}) {
                                  const AttentionView other = make_cpu_backend(threads)->attend(problem, viewport, {});
                                  EXPECT_EQ(one.logits.mean, other.logits.mean);
                                  EXPECT_EQ(one.weights.mean, other.weights.mean);
                                  EXPECT_EQ(one.weights.max, other.weights.max);
                                  EXPECT_EQ(one.row_log_sum, other.row_log_sum);
                              }
                          });
    }
}

TEST(CpuEncodings, PositionsOfTheirOwnGoWithNeitherBiasNorRegimesNorDamping) {
    const auto rejects = [](const auto& change) {
        Problem problem = make_problem({.seq_len = 8, .encoding = RandomRope{}});
        change(problem.lowered);
        EXPECT_THROW(make_cpu_backend(1)->attend(problem, whole(problem), {}), std::logic_error);
    };
    rejects([](LoweredEncoding& lowered) { lowered.bias_slope = 1; });
    rejects([](LoweredEncoding& lowered) { lowered.far = FarRegime{}; });
    rejects([](LoweredEncoding& lowered) { lowered.damping.assign(32, 0.1L); });
    rejects([](LoweredEncoding& lowered) { lowered.positions = TokenPositions({1, 2, 3}); });
}

// Sums of damped terms at a million distances, from below zero on.
TEST(CpuEncodings, DampedSumsAreExactToAMillionTokens) {
    const LoweredEncoding lowered = XPos{.scale_base = 4096}.lower({.head_dim = 128});
    std::vector<DistanceTerm> terms;
    for (int pair = 0; pair < 64; ++pair)
        terms.push_back({.cosine = 1.0 + pair % 3,
                         .sine = 0.25 * (pair % 5) - 0.5,
                         .per_step = phase_of(lowered.inv_freq[pair]),
                         .damping = lowered.nepers_over(pair, 1)});
    for (const std::int64_t first : {std::int64_t{-3000}, std::int64_t{0}, std::int64_t{777}}) {
        for (const int count : {1, 5, 100, 1 << 20}) {
            const auto sums = sum_by_distance(terms, first, count, {});
            ASSERT_EQ(sums.size(), static_cast<std::size_t>(count));
            for (int i = 0; i<count; i += count> 100 ? 1009 : 1) {
                const auto r = static_cast<long double>(first + i);
                long double exact = 0, amplitude = 0;
                for (int pair = 0; pair < 64; ++pair) {
                    const long double left = std::exp(-lowered.damping[pair] * r), angle = r * lowered.inv_freq[pair];
                    exact += left * (terms[pair].cosine * std::cos(angle) + terms[pair].sine * std::sin(angle));
                    amplitude += left * std::hypot(terms[pair].cosine, terms[pair].sine);
                }
                ASSERT_NEAR(sums[i], static_cast<double>(exact), 5e-13 * static_cast<double>(amplitude) + 1e-300)
                    << first + i;
            }
        }
    }
}

}  // namespace
}  // namespace ropewalk
