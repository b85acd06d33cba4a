// Encodings that do other things with positions than turn by them: waves that are added, damping, drawn positions.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "core/attention/backend.h"
#include "core/attention/make_problem.h"
#include "core/attention/reference.h"
#include "core/constructions/construction_list.h"
#include "core/encodings/encoding_list.h"
#include "core/experiment/experiment.h"

namespace ropewalk {
namespace {

using testing::ElementsAre;

Numbers logits_of(const Experiment& experiment) {
    const int n = experiment.seq_len;
    return make_reference_backend()
        ->attend(make_problem(experiment), Viewport::one_to_one({0, n}, {0, n}), {})
        .logits.mean;
}

TEST(Encodings, RelativeOnesAreThoseThatSeeTheDistanceAlone) {
    for_each_alternative<Encoding>([](auto encoding) {
        if constexpr (requires { encoding.window; }) encoding.window = 6;
        Experiment experiment{
            .head_dim = 16, .seq_len = 40, .encoding = encoding, .construction = SameVector{}, .mask = Mask::none};
        const auto logits = logits_of(experiment);
        double by_distance = 0, by_start = 0;
        for (int i = 1; i < 40; ++i)
            for (int j = 1; j < 40; ++j)
                by_distance = std::max(by_distance, std::abs(logits[40 * i + j] - logits[40 * (i - 1) + j - 1]));
        experiment.positions.start = 12'345;
        const auto moved = logits_of(experiment);
        for (std::size_t i = 0; i < moved.size(); ++i) by_start = std::max(by_start, std::abs(moved[i] - logits[i]));
        if (make_problem(experiment).lowered.relative()) {
            EXPECT_LT(by_distance, 1e-11) << encoding.id;
            EXPECT_LT(by_start, 1e-11) << encoding.id;
        } else {
            EXPECT_GT(by_distance, 1e-3) << encoding.id;
            EXPECT_THAT(encoding.summary, testing::HasSubstr("also depends on the positions")) << encoding.id;
        }
    });
}

TEST(Sinusoidal, AddsTheChannelsOfThePaperWhateverThePairing) {
    for (const Pairing pairing : {Pairing::interleaved, Pairing::half_split}) {
        for (const SinusoidalLayout layout : {SinusoidalLayout::interleaved, SinusoidalLayout::halves}) {
            const LoweredEncoding lowered =
                Sinusoidal{.base = 100, .layout = layout}.lower({.head_dim = 8, .pairing = pairing});
            std::vector<double> row(8), by_channel(8);
            encode(row, lowered, {}, 5);
            const PairLayout pairs{pairing, 8, lowered.rotary_dim};
            for (int t = 0; t < 4; ++t)
                by_channel[pairs.first(t)] = row[2 * t], by_channel[pairs.second(t)] = row[2 * t + 1];
            for (int u = 0; u < 4; ++u) {
                const double angle = 5 / std::pow(100.0, u / 4.0);
                const bool halves = layout == SinusoidalLayout::halves;
                EXPECT_NEAR(by_channel[halves ? u : 2 * u], std::sin(angle), 1e-15);
                EXPECT_NEAR(by_channel[halves ? u + 4 : 2 * u + 1], std::cos(angle), 1e-15);
            }
        }
    }
}

// With nothing but the waves, sines and cosines of one frequency make the cosine of the distance.
TEST(Sinusoidal, OfSilentTokensIsASumOfCosines) {
    const int n = 30;
    const auto logits = logits_of({.head_dim = 12,
                                   .seq_len = n,
                                   .encoding = Sinusoidal{.layout = SinusoidalLayout::halves},
                                   .construction = Bands{.amplitudes = {0}},
                                   .positions = {.start = 1 << 20, .stride = 11}});
    for (int i = 0; i < n; ++i)
        for (int j = 0; j <= i; ++j) {
            double sum = 0;
            for (int t = 0; t < 6; ++t) sum += std::cos(11 * (i - j) * std::pow(10'000.0, -t / 6.0));
            EXPECT_NEAR(logits[n * i + j], sum, 1e-12);
        }
}

TEST(Sinusoidal, TurnsNothing) {
    const LoweredEncoding lowered = Sinusoidal{}.lower({.head_dim = 8});
    std::vector<double> row{1, 2, 3, 4, 5, 6, 7, 8};
    rotate(row, lowered, {}, 1000);
    EXPECT_THAT(row, ElementsAre(1, 2, 3, 4, 5, 6, 7, 8));
    EXPECT_EQ(lowered.inv_freq, Rope{}.lower({.head_dim = 8}).inv_freq);
}

// As published, q · ζ^(m/512) and k · ζ^(−n/512), which long double still holds at a million tokens.
TEST(XPos, IsThePublishedProductNearAMillionTokens) {
    const int n = 50, d = 32, start = (1 << 20) - 50 * 700;
    const Experiment experiment{.head_dim = d,
                                .seq_len = n,
                                .encoding = XPos{},
                                .construction = Gaussian{},
                                .positions = {.start = start, .stride = 700}};
    const auto logits = logits_of(experiment);
    const Problem problem = make_problem(experiment);
    std::vector<double> q(d), k(d);
    for (int i = 0; i < n; ++i)
        for (int j = 0; j <= i; ++j) {
            problem.inputs.q.read(i, q);
            problem.inputs.k.read(j, k);
            long double sum = 0;
            const auto place = [&](const std::vector<double>& row, int t, int token, long double sign) {
                const long double position = start + 700.0L * token, zeta = (2.0L * t / d + 0.4L) / 1.4L,
                                  angle = position * std::pow(10'000.0L, -2.0L * t / d),
                                  factor = std::pow(zeta, sign * position / 512);
                return std::pair{factor * (row[2 * t] * std::cos(angle) - row[2 * t + 1] * std::sin(angle)),
                                 factor * (row[2 * t] * std::sin(angle) + row[2 * t + 1] * std::cos(angle))};
            };
            for (int t = 0; t < d / 2; ++t) {
                const auto [q0, q1] = place(q, t, i, 1);
                const auto [k0, k1] = place(k, t, j, -1);
                sum += q0 * k0 + q1 * k1;
            }
            EXPECT_NEAR(logits[n * i + j], static_cast<double>(sum), 1e-12) << i << ", " << j;
        }
}

TEST(XPos, RefusesWhatCannotBeHeldInASentence) {
    Experiment experiment{.seq_len = 1 << 20, .encoding = XPos{}};
    EXPECT_FALSE(validate(experiment).has_value());
    experiment.mask = Mask::none;
    EXPECT_THAT(validate(experiment).value_or(""), testing::HasSubstr("encoding.scale_base is 512"));
    get<XPos>(experiment.encoding).scale_base = 6000;
    EXPECT_EQ(validate(experiment).value_or(""), "");
    experiment = {.seq_len = 4, .encoding = XPos{}, .positions = {.stride = 65'536}};
    EXPECT_THAT(validate(experiment).value_or(""), testing::HasSubstr("positions.stride 65536"));
}

// Values of a second program, whose generator gives the published answer to counter 0 and key 0.
TEST(RandomPositions, AreTheSameOnEveryMachine) {
    EXPECT_THAT(draw_positions(7, 8, 100), ElementsAre(10, 18, 27, 71, 83, 85, 91, 95));
    EXPECT_THAT(draw_positions(7, 9, 12), ElementsAre(1, 3, 4, 5, 6, 7, 8, 9, 12));
    EXPECT_THAT(draw_positions((std::int64_t{1} << 40) + 3, 5, 1'000'000),
                ElementsAre(169'487, 732'994, 782'735, 839'170, 917'766));
}

TEST(RandomPositions, AreDistinctSortedAndInRange) {
    for (const auto& [count, upper] : {std::pair{1, 1},
                                       {1, 2},
                                       {63, 64},
                                       {64, 64},
                                       {65, 129},
                                       {500, 1001},
                                       {501, 1001},
                                       {1 << 20, 1 << 24},
                                       {1 << 20, (1 << 20) + 5},
                                       {1 << 20, 1 << 20}}) {
        const auto drawn = draw_positions(3, count, upper);
        ASSERT_EQ(drawn.size(), static_cast<std::size_t>(count));
        EXPECT_GE(drawn.front(), 1);
        EXPECT_LE(drawn.back(), upper);
        EXPECT_TRUE(std::is_sorted(drawn.begin(), drawn.end()));
        EXPECT_EQ(std::adjacent_find(drawn.begin(), drawn.end()), drawn.end());
    }
}

// Every set is equally likely: of 20 000 draws each count is binomial, and allowed five standard deviations.
TEST(RandomPositions, AreAnySetWithEqualChance) {
    for (const auto& [count, sets] : {std::pair{2, 10}, {4, 5}}) {
        std::map<std::vector<std::int64_t>, int> seen;
        for (int seed = 0; seed < 20'000; ++seed) ++seen[draw_positions(seed, count, 5)];
        EXPECT_EQ(seen.size(), static_cast<std::size_t>(sets));
        const double mean = 20'000.0 / sets;
        for (const auto& [set, times] : seen) EXPECT_NEAR(times, mean, 5 * std::sqrt(mean * (1 - 1.0 / sets)));
    }
}

// Distances of tokens k apart are negative hypergeometric: mean k(L+1)/(N+1), variance
// k(N−k+1)(L+1)(L−N)/((N+1)²(N+2)), and P(D = 1) = N/L for neighbours. 2000 draws, five standard deviations of their
// mean.
TEST(RandomPositions, HaveTheDistancesOfTheFormula) {
    const int n = 50, upper = 1000, draws = 2000;
    for (const int k : {1, 7, 30}) {
        double sum = 0, touching = 0;
        for (int seed = 0; seed < draws; ++seed) {
            const auto drawn = draw_positions(seed, n, upper);
            const auto distance = static_cast<double>(drawn[10 + k] - drawn[10]);
            sum += distance, touching += distance == 1;
        }
        const double variance = k * (n - k + 1.0) * (upper + 1.0) * (upper - n) / ((n + 1.0) * (n + 1.0) * (n + 2.0));
        EXPECT_NEAR(sum / draws, k * (upper + 1.0) / (n + 1.0), 5 * std::sqrt(variance / draws)) << k;
        const double chance = static_cast<double>(n) / upper;
        if (k == 1) {
            EXPECT_NEAR(touching / draws, chance, 5 * std::sqrt(chance * (1 - chance) / draws));
        }
    }
}

TEST(RandomPositions, FollowTheSeedAndNothingElse) {
    Experiment experiment{.seq_len = 20, .encoding = RandomRope{}, .seed = 5};
    const auto positions = make_problem(experiment).lowered.positions;
    experiment.positions = {.start = 100, .stride = 7};
    EXPECT_EQ(make_problem(experiment).lowered.positions, positions);
    EXPECT_EQ(make_problem(experiment).position(3), positions[3]);
    experiment.seed = 6;
    EXPECT_FALSE(make_problem(experiment).lowered.positions == positions);
}

TEST(RandomPositions, MayBeGiven) {
    const auto complaint = [](std::vector<double> positions, int upper = 4096) {
        return validate(
                   Experiment{.seq_len = 3, .encoding = RandomRope{.upper = upper, .positions = std::move(positions)}})
            .value_or("");
    };
    EXPECT_EQ(complaint({0, 5, 1 << 20}), "");
    EXPECT_EQ(complaint({0, 5, 1 << 20}, 1), "");  // the range is not drawn from
    EXPECT_EQ(make_problem({.seq_len = 3, .encoding = RandomRope{.positions = {0, 5, 9, 12}}}).position(2), 9);
    EXPECT_THAT(complaint({1, 2}), testing::HasSubstr("has 2 values"));
    EXPECT_THAT(complaint({1, 2.5, 3}), testing::HasSubstr("must be a whole number"));
    EXPECT_THAT(complaint({1, 3, 3}), testing::HasSubstr("encoding.positions[2] is 3"));
    EXPECT_THAT(complaint({-1, 3, 4}), testing::HasSubstr("encoding.positions[0]"));
    EXPECT_THAT(complaint({}, 2), testing::HasSubstr("encoding.upper is 2"));
}

// Given the positions that a stride makes, it is RoPE.
TEST(RandomPositions, OfEqualDistancesAreRope) {
    std::vector<double> positions;
    for (int i = 0; i < 30; ++i) positions.push_back(17 + 5 * i);
    const Experiment drawn{.seq_len = 30, .encoding = RandomRope{.positions = positions}, .construction = Gaussian{}},
        plain{.seq_len = 30, .construction = Gaussian{}, .positions = {.start = 17, .stride = 5}};
    EXPECT_EQ(logits_of(drawn), logits_of(plain));
}

}  // namespace
}  // namespace ropewalk
