// Constructions about what tokens are: the numbers of their papers, from q and k written out here.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <numeric>

#include "core/analysis/heads/contributions.h"
#include "core/analysis/heads/decay.h"
#include "core/attention/attention.h"
#include "core/attention/make_problem.h"
#include "core/constructions/construction_list.h"
#include "core/constructions/tokens.h"
#include "core/encodings/encoding_list.h"
#include "tests/core/attention/reference_view.h"

namespace ropewalk {
namespace {

using Strings = std::vector<std::string>;

TEST(Tokens, AreWordsAndMarksAfterBos) {
    EXPECT_EQ(tokens_of("I'm here."), (Strings{"BOS", "I", "'", "m", "here", "."}));
    EXPECT_EQ(tokens_of("  it’s\tÄpfel,,2\n"), (Strings{"BOS", "it", "’", "s", "Äpfel", ",", ",", "2"}));
    EXPECT_EQ(tokens_of(""), Strings{"BOS"});
    EXPECT_EQ(tokens_of(" \n"), Strings{"BOS"});
}

TEST(Tokens, RepeatWhereTheSequenceIsLonger) {
    EXPECT_EQ(token_labels(tokens_of("a b"), 6), (Strings{"BOS", "a", "b", "a", "b", "a"}));
    EXPECT_EQ(token_labels(tokens_of(""), 3), (Strings{"BOS", "BOS", "BOS"}));
    EXPECT_EQ(token_labels(tokens_of("a b"), 1), Strings{"BOS"});
    EXPECT_EQ(token_labels(tokens_of("a b"), 1 << 20).size(), 4096u);
}

TEST(Construction, WordsOfATextFindThemselves) {
    const Experiment experiment{.head_dim = 128,
                                .seq_len = 9,
                                .encoding = NoPE{},
                                .construction = Text{.text = "to be, or not to be", .norm_squared = 50}};
    const Problem problem = make_problem(experiment);
    EXPECT_EQ(problem.inputs.labels, (Strings{"BOS", "to", "be", ",", "or", "not", "to", "be", "to"}));
    const AttentionView view = reference_view(experiment);
    for (int i = 0; i < 9; ++i)
        for (int j = 0; j <= i; ++j) {
            const double score = view.logits.mean[i * 9 + j];
            if (problem.inputs.labels[i] == problem.inputs.labels[j])
                EXPECT_NEAR(score, 50, 1e-12);
            else
                EXPECT_LT(std::abs(score), 25) << i << " " << j;  // cosine of random directions: σ = 1/√128
        }
    // A word is the same vector wherever and in whatever text it stands, and another one by the seed.
    std::vector<double> a(128), b(128);
    problem.inputs.q.read(2, a);
    make_problem({.head_dim = 128, .seq_len = 9, .construction = Text{.text = "be", .norm_squared = 50}})
        .inputs.k.read(1, b);
    EXPECT_EQ(a, b);
    make_problem({.head_dim = 128, .construction = Text{.text = "be", .norm_squared = 50}, .seed = 1})
        .inputs.k.read(1, b);
    EXPECT_NE(a, b);
}

// Men et al., Theorem 1: E[q·k*] − E[q·k] = 2σ² Σ cos(m·w).
TEST(Construction, SimilarKeysExceedRandomOnesByTheTheorem) {
    const Problem problem =
        make_problem({.head_dim = 64, .seq_len = 300, .construction = SimilarVsRandom{.sigma = 0.5, .samples = 3000}});
    const Decay curve = decay(problem, *make_reference_backend(), {});
    EXPECT_EQ(curve.samples, 3000);
    for (int r = 0; r < 300; ++r) {
        double cosines = 0;
        for (int t = 0; t < 32; ++t) cosines += std::cos(r * std::pow(10'000.0, -t / 32.0));
        EXPECT_NEAR(curve.mean[r], 2 * 0.25 * cosines, 5 * curve.sigma[r] / std::sqrt(3000)) << r;
        EXPECT_LT(curve.sigma[r], 6);  // so that the bound above is a bound
    }
}

TEST(Construction, EverySecondKeyIsLikeTheQuery) {
    const Problem problem =
        make_problem({.head_dim = 256, .seq_len = 40, .construction = SimilarVsRandom{.sigma = 1, .noise = 0}});
    std::vector<double> q(256), k(256);
    problem.inputs.q.read(17, q);
    for (int token = 0; token < 40; ++token) {
        problem.inputs.k.read(token, k);
        const double cosine = std::inner_product(q.begin(), q.end(), k.begin(), 0.0) /
                              std::sqrt(std::inner_product(q.begin(), q.end(), q.begin(), 0.0) *
                                        std::inner_product(k.begin(), k.end(), k.begin(), 0.0));
        if (token % 2 == 0)
            EXPECT_NEAR(cosine, 1, 1e-14);
        else
            EXPECT_LT(std::abs(cosine), 0.4);
    }
}

// Barbero et al., Prop. 5.2: on [BOS, x₁, x₁] the last diagonal weight is 1/(e^(a₃₁ − a₃₃) + 2) < ½ without positions,
// whatever q and k; rotation lifts that.
TEST(Construction, RepeatedTokensHaveNoDiagonalWithoutPositions) {
    for (const double norm_squared : {0.1, 10.0, 150.0, 1e4}) {
        Experiment experiment{
            .seq_len = 3, .encoding = NoPE{}, .construction = RepeatedToken{.norm_squared = norm_squared}};
        for (experiment.seed = 0; experiment.seed < 5; ++experiment.seed) {
            const AttentionView view = reference_view(experiment);
            EXPECT_EQ(view.logits.mean[2 * 3 + 2], view.logits.mean[2 * 3 + 1]);
            EXPECT_LE(view.weights.mean[2 * 3 + 2], 0.5);
            EXPECT_NEAR(view.weights.mean[2 * 3 + 2],
                        1 / (std::exp(view.logits.mean[2 * 3] - view.logits.mean[2 * 3 + 2]) + 2), 1e-14);
        }
    }
    const AttentionView rotated = reference_view({.seq_len = 3, .construction = RepeatedToken{}});
    EXPECT_GT(rotated.weights.mean[2 * 3 + 2], 0.99);
    EXPECT_EQ(make_problem({.seq_len = 3, .construction = RepeatedToken{}}).inputs.labels,
              (Strings{"BOS", "x₁", "x₁"}));
}

// Thm 6.1: the match counts against its key from ceil(π/2w) on.
TEST(Construction, SingleFrequencyLosesItsMatch) {
    for (const int pair : {0, 5, 12}) {
        const Problem problem =
            make_problem({.head_dim = 32, .seq_len = 3000, .construction = SingleFrequency{.pair = pair}});
        const double w = std::pow(10'000.0, -pair / 16.0);
        const int fails = static_cast<int>(std::ceil(std::numbers::pi / 2 / w));
        ASSERT_LT(fails, 3000);
        const Decay curve = decay(problem, *make_reference_backend(), {});
        for (int r = 0; r < fails; ++r) EXPECT_GE(curve.mean[r], 0);
        EXPECT_LT(curve.mean[fails], 0);
        const AttentionView last =
            make_reference_backend()->attend(problem, Viewport::one_to_one({fails, fails + 1}, {0, fails + 1}), {});
        EXPECT_NEAR(last.logits.mean[0], 20 * std::cos(fails * w), 1e-11);
        for (int j = 1; j <= fails; ++j) EXPECT_EQ(last.logits.mean[j], 0);
    }
    EXPECT_TRUE(SingleFrequency{.pair = 16}.check({.head_dim = 32}).has_value());
    EXPECT_FALSE(SingleFrequency{.pair = 15}.check({.head_dim = 32}).has_value());
}

/// q·R^(−r)k of two channels at w rad a token.
double turned_dot(std::array<double, 2> q, std::array<double, 2> k, double angle) {
    return (q[0] * k[0] + q[1] * k[1]) * std::cos(angle) + (q[0] * k[1] - q[1] * k[0]) * std::sin(angle);
}

// App. D.1: the 119th pair of d = 256 turns by 2.05353e-4 rad a token; the dots are −85.47 and +24.94, and change sign
// at 12 129 and 11 269; at equal distances BOS stops winning at 11 963.
TEST(Construction, ApostropheHeadHasTheMeasuredChannel) {
    const Problem problem = make_problem({.head_dim = 256, .seq_len = 12'200, .construction = Apostrophe{}});
    const double w = std::pow(10'000.0, -2.0 * 118 / 256);
    EXPECT_NEAR(w, 2.05353e-4, 5e-10);
    const auto channel = [&](int query, int key) { return contributions(problem, query, key)[118]; };
    EXPECT_NEAR(channel(1, 1), -85.47, 1e-9);
    std::vector<double> q(256), k(256);
    problem.inputs.q.read(1, q);
    problem.inputs.k.read(0, k);
    EXPECT_NEAR(q[236] * k[236] + q[237] * k[237], 24.94, 1e-9);

    const auto first = [&](auto&& condition) {
        int r = 0;
        while (!condition(r)) ++r;
        return r;
    };
    const std::array<double, 2> q_other{-4.1, 11.3}, k_other{11.2, -3.5}, k_bos{-2.5, 1.3};
    const auto other = [&](int r) { return turned_dot(q_other, k_other, r * w); };
    const auto bos = [&](int r) { return turned_dot(q_other, k_bos, r * w); };
    EXPECT_EQ(first([&](int r) { return other(r) > 0; }), 12'129);
    EXPECT_EQ(first([&](int r) { return bos(r) < 0; }), 11'269);
    EXPECT_EQ(first([&](int r) { return bos(r) <= other(r); }), 11'963);
    for (const int r : {1, 11'268, 11'269, 11'963, 12'128, 12'129}) {
        EXPECT_NEAR(channel(r, 0), bos(r), 1e-9);        // key 0 is BOS
        EXPECT_NEAR(channel(r + 1, 1), other(r), 1e-9);  // key 1 is "Well"
    }
}

// Fig. 7: the apostrophes stand at 3, 9 and 15; tokens after one attend to it, all others to BOS.
TEST(Construction, ApostropheHeadAttendsToApostrophesOrBos) {
    for (const int head_dim : {64, 128, 256}) {
        const Experiment experiment{
            .head_dim = head_dim, .seq_len = 18, .construction = Apostrophe{}, .scale = Scale::sqrt_d};
        const Problem problem = make_problem(experiment);
        const Strings& labels = problem.inputs.labels;
        EXPECT_EQ(labels[3] + labels[9] + labels[15], "'''");
        const AttentionView view = reference_view(experiment);
        for (int i = 1; i < 18; ++i) {
            const int wanted = is_apostrophe(labels[i - 1]) ? i - 1 : 0;
            EXPECT_GT(view.weights.mean[i * 18 + wanted], 0.9) << head_dim << ": " << i << " " << labels[i];
        }
    }
}

}  // namespace
}  // namespace ropewalk
