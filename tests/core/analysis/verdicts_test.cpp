// What is concluded from curves and encodings: random positions, turns, verdicts and properties.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "core/analysis/encodings/properties.h"
#include "core/analysis/encodings/random_positions.h"
#include "core/analysis/encodings/robustness.h"
#include "core/analysis/encodings/rotation.h"
#include "core/analysis/heads/decay.h"
#include "core/attention/make_problem.h"
#include "core/attention/reference.h"
#include "core/constructions/construction_list.h"
#include "core/encodings/encoding_list.h"
#include "core/experiment/experiment.h"
#include "tests/core/analysis/ask.h"

namespace ropewalk {
namespace {

/// Calls f with every choice of `count` positions from 1 … upper, sorted.
template <class F>
void for_each_choice(int count, int upper, F&& f) {
    std::vector<int> chosen(static_cast<std::size_t>(count));
    std::iota(chosen.begin(), chosen.end(), 1);
    while (true) {
        f(chosen);
        int i = count - 1;
        while (i >= 0 && chosen[i] == upper - count + 1 + i) --i;
        if (i < 0) return;
        ++chosen[i];
        for (int j = i + 1; j < count; ++j) chosen[j] = chosen[j - 1] + 1;
    }
}

TEST(RandomPositions, DecayIsTheAverageOverEveryChoice) {
    const Problem problem = make_problem({.head_dim = 8, .seq_len = 5, .construction = SameVector{}});
    const auto q = problem.inputs.q.constant_row(), k = problem.inputs.k.constant_row();
    const std::vector<int> gaps{1, 2, 3, 4};
    const auto points = random_position_decay(problem, q, k, {.tokens = 5, .upper = 14}, gaps, {});
    ASSERT_EQ(points.size(), 4u);
    for (std::size_t g = 0; g < 4; ++g) {
        double count = 0, sum = 0, squares = 0, distances = 0;
        for_each_choice(5, 14, [&](const std::vector<int>& chosen) {
            const int r = chosen[2 + gaps[g] / 2] - chosen[2 + gaps[g] / 2 - gaps[g]];
            double score = 0;
            for (int t = 0; t < 4; ++t)
                score +=
                    (q[2 * t] * q[2 * t] + q[2 * t + 1] * q[2 * t + 1]) * std::cos(r * std::pow(10'000.0, -t / 4.0));
            count += 1, sum += score, squares += score * score, distances += r;
        });
        EXPECT_EQ(points[g].gap, gaps[g]);
        EXPECT_NEAR(points[g].expected_distance, distances / count, 1e-12);
        EXPECT_NEAR(points[g].mean, sum / count, 1e-12);
        EXPECT_NEAR(points[g].sigma, std::sqrt(squares / count - sum * sum / count / count), 1e-10);
    }
}

TEST(RandomPositions, DistributionIsStableAtAMillion) {
    const struct { int tokens, gap; } cases[] = {{2, 1}, {1000, 1}, {1000, 500}, {1000, 999}, {1 << 19, 1 << 18}};
    for (const auto& [tokens, gap] : cases) {
        const auto d = distance_distribution({tokens, 1 << 20}, gap);
        double sum = 0, mean = 0;
        for (std::size_t i = 0; i < d.probability.size(); ++i) {
            EXPECT_GE(d.probability[i], 0);
            sum += d.probability[i];
            mean += d.probability[i] * (d.first + static_cast<double>(i));
        }
        EXPECT_NEAR(sum, 1, 1e-11);
        EXPECT_NEAR(mean / (gap * ((1 << 20) + 1.0) / (tokens + 1.0)), 1, 1e-11) << tokens << " " << gap;
    }
    // P(D = 1) for neighbours is N/L: the closed form C(L−1, N−1)/C(L, N).
    EXPECT_NEAR(distance_distribution({1000, 1 << 20}, 1).probability[0], 1000.0 / (1 << 20), 1e-16);
    // Where every position is taken, nothing is random.
    EXPECT_EQ(distance_distribution({50, 50}, 7).first, 7);
    EXPECT_EQ(distance_distribution({50, 50}, 7).probability, std::vector<double>{1});
}

// Barbero et al., section 6: 128 000 tokens at 1/10 000 rad are 2.04 turns.
TEST(Rotation, TurnsOverAContext) {
    const auto slow = turns(Rope{.exponent = RopeExponent::d_minus_2}.lower({.head_dim = 256}), 128'000);
    EXPECT_NEAR(slow[0], 128'000 / (2 * std::numbers::pi), 1e-9);
    EXPECT_NEAR(slow.back(), 2.0372, 1e-4);
    EXPECT_EQ(turns(NoPE{}.lower({.head_dim = 2}), 1e6), std::vector<double>{0});
}

DecayVerdict verdict_of(const Experiment& experiment) {
    return decay_verdict(decay(make_problem(experiment), *make_reference_backend(), {}));
}

TEST(DecayVerdict, SaysWhatEachHeadDoes) {
    const DecayVerdict ones = verdict_of({.head_dim = 64, .seq_len = 1000, .construction = Ones{}});
    EXPECT_EQ(ones.trend, DecayTrend::down);
    EXPECT_EQ(ones.first_negative, 725);
    EXPECT_NE(ones.sentence.find("not at every step"), std::string::npos);
    EXPECT_NE(ones.sentence.find("725"), std::string::npos);

    const DecayVerdict gaussian =
        verdict_of({.head_dim = 64, .seq_len = 1000, .construction = Gaussian{.samples = 200}});
    EXPECT_EQ(gaussian.trend, DecayTrend::flat);
    EXPECT_EQ(gaussian.sentence.substr(0, 24), "The curve does not decay");

    const DecayVerdict still = verdict_of({.seq_len = 100, .encoding = NoPE{}, .construction = SameVector{}});
    EXPECT_EQ(still.trend, DecayTrend::flat);
    EXPECT_EQ(still.first_negative, std::nullopt);

    EXPECT_EQ(verdict_of({.head_dim = 2, .seq_len = 3}).trend, DecayTrend::steadily_down);  // 1, cos 1, cos 2
    EXPECT_EQ(verdict_of({.seq_len = 60, .construction = AtDistance{.distance = 59}}).trend, DecayTrend::up);
    EXPECT_EQ(verdict_of({.seq_len = 1}).trend, DecayTrend::flat);

    // One pair is a cosine, whatever its first and last tenths say: (1 + cos 1 + cos 2)/3 and that of 27 … 29.
    const DecayVerdict cosine = verdict_of({.head_dim = 2, .seq_len = 30});
    EXPECT_GT(cosine.first_tenth, cosine.last_tenth);
    EXPECT_EQ(cosine.trend, DecayTrend::flat);
    EXPECT_TRUE(cosine.sentence.ends_with(", but it is 0.991 at distance 25.")) << cosine.sentence;
    EXPECT_EQ(verdict_of({.head_dim = 2, .seq_len = 300}).trend, DecayTrend::flat);
    // (cos 18 + cos 19)/2 is above (1 + cos 1)/2, but a cosine that begins at its top does not rise.
    const DecayVerdict comes_back = verdict_of({.head_dim = 2, .seq_len = 20});
    EXPECT_LT(comes_back.first_tenth, comes_back.last_tenth);
    EXPECT_EQ(comes_back.trend, DecayTrend::flat);
    EXPECT_TRUE(comes_back.sentence.ends_with(", but it swings from 1 at distance 0 to -0.99 at distance 3."))
        << comes_back.sentence;
    // With a small base p-RoPE falls within a few tokens to what its unrotated pairs leave, and there it stays.
    const DecayVerdict falls =
        verdict_of({.head_dim = 256, .seq_len = 2000, .encoding = PRope{.base = 180, .p = 0.75}});
    std::vector<double> mean(2000);
    for (int r = 0; r < 2000; ++r) {
        for (int t = 0; t < 96; ++t) mean[r] += std::cos(r * std::pow(180.0, -t / 128.0));
        mean[r] = (mean[r] + 32) / 128;
    }
    const double level = std::accumulate(mean.end() - 200, mean.end(), 0.0) / 200;
    const auto end = std::find_if(mean.begin(), mean.end(), [&](double value) { return value <= level; });
    EXPECT_EQ(falls.trend, DecayTrend::down_at_first);
    EXPECT_EQ(falls.label, fmt::format("levels off by r = {}", end - mean.begin()));
    // Where fewer pairs rotate, the rest swings: by 0.2 after a fall of 0.32.
    const DecayVerdict swings = verdict_of({.head_dim = 256, .seq_len = 4096, .encoding = PRope{.p = 0.3203125}});
    EXPECT_EQ(swings.label, "falls until r = 11, then swings");
    EXPECT_NE(swings.sentence.find("by distance 11 and then swings between 0.57 and 0.773"), std::string::npos)
        << swings.sentence;
    // A head that looks 64 tokens back is highest there.
    const DecayVerdict looks_back = verdict_of({.seq_len = 256, .construction = AtDistance{.distance = 64}});
    EXPECT_EQ(looks_back.trend, DecayTrend::flat);
    EXPECT_TRUE(looks_back.sentence.ends_with(" at distance 64.")) << looks_back.sentence;
}

EncodingProperties properties_of(Encoding encoding, int seq_len = 1024) {
    return ask(PropertiesQuestion{}, make_problem({.seq_len = seq_len, .encoding = std::move(encoding)})).value();
}

// Table 1: NoPE has no positional heads and robust semantic ones, RoPE the reverse, p-RoPE both.
TEST(Properties, AreThoseOfTheTable) {
    const auto nope = properties_of(NoPE{}), rope = properties_of(Rope{}, 20'000), p_rope = properties_of(PRope{});
    EXPECT_FALSE(nope.diagonal.possible() || nope.previous_token.possible());
    EXPECT_LT(nope.diagonal.best_weight, 0.5);  // Prop. 5.2
    EXPECT_TRUE(nope.semantic.robust);
    EXPECT_TRUE(rope.diagonal.possible() && rope.previous_token.possible());
    EXPECT_FALSE(rope.semantic.robust);
    EXPECT_TRUE(p_rope.diagonal.possible() && p_rope.previous_token.possible());
    EXPECT_TRUE(p_rope.semantic.robust);
    EXPECT_EQ(p_rope.semantic.fails_at, std::nullopt);
    EXPECT_EQ(p_rope.semantic.inv_freq, 0);
}

TEST(Properties, NumbersDecide) {
    const auto rope = properties_of(Rope{});
    // The slowest pair of d = 64 turns by 10 000^(−62/64), a quarter in 11 780 tokens: beyond 1024, within 20 000.
    const double w = std::pow(10'000.0, -62.0 / 64);
    EXPECT_EQ(rope.semantic.pair, 31);
    EXPECT_NEAR(rope.semantic.inv_freq, w, 1e-18);
    EXPECT_EQ(rope.semantic.fails_at, static_cast<std::int64_t>(std::ceil(std::numbers::pi / 2 / w)));
    EXPECT_TRUE(rope.semantic.robust);
    EXPECT_FALSE(properties_of(Rope{}, 20'000).semantic.robust);
    // All pairs equally need 135.75 and 156.23; some subset of fast ones needs less, or as much.
    EXPECT_LE(*rope.diagonal.norm_needed, 135.76);
    EXPECT_LE(*rope.previous_token.norm_needed, 156.24);
    EXPECT_LT(rope.diagonal.pairs, 33);
    EXPECT_NEAR(rope.diagonal.best_weight, 0.99, 1e-12);
}

// Logits are the scores over √d and the temperature, so that a norm √d·T as large does the same.
TEST(Properties, FollowScaleAndTemperature) {
    const auto plain = properties_of(Rope{});
    const Experiment cooled{.head_dim = 64, .seq_len = 1024, .scale = Scale::sqrt_d, .temperature = 3};
    const auto found = ask(PropertiesQuestion{}, make_problem(cooled)).value();
    EXPECT_NEAR(*found.diagonal.norm_needed, 24 * *plain.diagonal.norm_needed, 1e-8);
    EXPECT_NEAR(*found.previous_token.norm_needed, 24 * *plain.previous_token.norm_needed, 1e-8);
    EXPECT_EQ(found.semantic.fails_at, plain.semantic.fails_at);
}

// With the norm that is said to be needed, the whole matrix gives every row's target just enough.
TEST(Properties, HoldInEveryRowWhereRowsDiffer) {
    for (const Encoding& encoding : {Encoding(RandomRope{.upper = 150}), Encoding(SelfExtend{.window = 20})}) {
        const Experiment experiment{.head_dim = 8, .seq_len = 50, .encoding = encoding};
        const EncodingProperties found = ask(PropertiesQuestion{}, make_problem(experiment)).value();
        EXPECT_EQ(found.rows, 50);
        ASSERT_TRUE(found.diagonal.possible()) << id_of(encoding);
        std::vector<double> psi(8);
        for (int pair = 0; pair < found.diagonal.pairs; ++pair)
            psi[2 * pair] = std::sqrt(*found.diagonal.norm_needed / found.diagonal.pairs);
        Problem head = make_problem(experiment);
        head.inputs = {.q = RowSource::constant(psi), .k = RowSource::constant(psi)};
        head.scale = 1;
        const AttentionView view = make_reference_backend()->attend(head, Viewport::one_to_one({0, 50}, {0, 50}), {});
        double min = 1;
        for (int row = 0; row < 50; ++row) min = std::min(min, view.weights.mean[row * 50 + row]);
        EXPECT_NEAR(min, 0.99, 1e-9) << id_of(encoding);
    }
    EXPECT_FALSE(properties_of(RandomRope{}, 64).previous_token.possible()) << "the token before is anywhere";
}

TEST(Properties, GroupedPositionsReachFurther) {
    const auto grouped = properties_of(SelfExtend{.base = 1000}, 6'000);
    const double w = std::pow(1000.0, -62.0 / 64);
    ASSERT_TRUE(grouped.semantic.fails_at.has_value());
    EXPECT_GT(*grouped.semantic.fails_at, 2 * std::ceil(std::numbers::pi / 2 / w));
}

}  // namespace
}  // namespace ropewalk
