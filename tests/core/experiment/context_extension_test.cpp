// Encodings that change the RoPE frequencies, against limits where they equal others and against values derived by
// hand.
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <numbers>

#include "core/encodings/encoding.h"
#include "core/encodings/encoding_list.h"
#include "core/io/npy.h"
#include "tests/core/attention/shapes.h"

namespace ropewalk {
namespace {

void expect_same(const LoweredEncoding& found, const LoweredEncoding& expected, double tolerance) {
    ASSERT_EQ(found.pairs(), expected.pairs());
    for (int t = 0; t < found.pairs(); ++t)
        EXPECT_NEAR(static_cast<double>(found.inv_freq[t] / expected.inv_freq[t]), 1, tolerance) << "pair " << t;
}

TEST(ContextExtension, LinearIsRopeAtPositionsDividedByTheFactor) {
    const LoweredEncoding squeezed = Linear{.factor = 3}.lower(shape_of(64)), rope = Rope{}.lower(shape_of(64));
    for (int t = 0; t < 32; ++t)
        for (const std::int64_t position : {1, 100, 1 << 18}) {
            const Phase found = rotation_phase({}, squeezed.inv_freq[t], 3 * position);
            EXPECT_NEAR(angle_of(found - rotation_phase({}, rope.inv_freq[t], position)), 0, 1e-12);
        }
}

TEST(ContextExtension, NtkKeepsTheFastestPairAndSlowsTheSlowestAsLinearDoes) {
    for (const int head_dim : {4, 64, 128}) {
        for (const double factor : {0.5, 1.0, 4.0, 37.5}) {
            const Shape shape = shape_of(head_dim);
            const LoweredEncoding ntk = Ntk{.factor = factor}.lower(shape),
                                  linear = Linear{.factor = factor}.lower(shape);
            EXPECT_EQ(ntk.inv_freq.front(), 1);
            EXPECT_NEAR(static_cast<double>(ntk.inv_freq.back() / linear.inv_freq.back()), 1, 1e-17);
            const double base = 10'000 * std::pow(factor, head_dim / (head_dim - 2.0));
            expect_same(ntk, Rope{.base = base}.lower(shape), 1e-14);
        }
    }
    EXPECT_TRUE(Ntk{}.check(shape_of(2)).has_value());
}

TEST(ContextExtension, DynamicNtkIsRopeUpToTheTrainedContextAndGrowsBeyond) {
    for (const double factor : {1.0, 2.5}) {
        const DynamicNtk dynamic{.factor = factor, .original_length = 1000};
        for (const int seq_len : {1, 999, 1000})
            EXPECT_EQ(dynamic.lower(shape_of(64, seq_len)), Rope{}.lower(shape_of(64)));
        EXPECT_NE(dynamic.lower(shape_of(64, 1001)), Rope{}.lower(shape_of(64)));
        // At twice the context f·2 − (f − 1) = f + 1.
        expect_same(dynamic.lower(shape_of(64, 2000)), Ntk{.factor = factor + 1}.lower(shape_of(64)), 1e-17);
    }
    EXPECT_TRUE(DynamicNtk{}.check(shape_of(2)).has_value());
}

// Wavelengths of base 500 000 and d = 128 are 2π · 500000^(t/64): pair 28 has 1959 tokens and 29 has 2405, pair 34 has
// 6701 and 35 has 8226; L/high = 2048 and L/low = 8192 fall between them.
TEST(ContextExtension, Llama3HasThreeRegions) {
    const LoweredEncoding scaled = Llama3{}.lower(shape_of(128)), rope = Rope{.base = 500'000}.lower(shape_of(128));
    for (int t = 0; t <= 28; ++t) EXPECT_EQ(scaled.inv_freq[t], rope.inv_freq[t]) << t;
    for (int t = 35; t < 64; ++t) EXPECT_EQ(scaled.inv_freq[t], rope.inv_freq[t] / 8) << t;
    for (int t = 29; t <= 34; ++t) {
        const double length = 2 * std::numbers::pi * std::pow(500'000.0, t / 64.0), smooth = (8192 / length - 1) / 3;
        EXPECT_GT(smooth, 0);
        EXPECT_LT(smooth, 1);
        EXPECT_NEAR(static_cast<double>(scaled.inv_freq[t] / rope.inv_freq[t]), (1 - smooth) / 8 + smooth, 1e-14) << t;
    }
    EXPECT_TRUE((Llama3{.low_freq_factor = 4, .high_freq_factor = 4}.check(shape_of(128)).has_value()));
}

TEST(ContextExtension, LongRopeTakesTheLongListStrictlyBeyondTheTrainedContext) {
    const LongRope encoding{
        .factor = 4, .original_length = 100, .short_factor = {1, 1.5, 2}, .long_factor = {2, 4, 80}};
    const LoweredEncoding rope = Rope{}.lower(shape_of(6));
    for (const auto& [seq_len, factors] : {std::pair{100, &encoding.short_factor}, {101, &encoding.long_factor}})
        for (int t = 0; t < 3; ++t)
            EXPECT_EQ(encoding.lower(shape_of(6, seq_len)).inv_freq[t], rope.inv_freq[t] / (*factors)[t]) << seq_len;
    EXPECT_FALSE(encoding.check(shape_of(6)).has_value());
    EXPECT_TRUE(encoding.check(shape_of(8)).has_value());
    EXPECT_FALSE(LongRope{}.check(shape_of(8)).has_value());
    expect_same(LongRope{.original_length = 10, .long_factor = {5}}.lower(shape_of(64, 11)),
                Linear{.factor = 5}.lower(shape_of(64)), 1e-18);
}

// Phi-3-mini-128k: 4096 tokens to 131 072; √(1 + ln 32 / ln 4096) = √(1 + 5/12), which its users write as 1.190238.
TEST(ContextExtension, LongRopeSharpensShortAndLongSequencesAlike) {
    for (const int seq_len : {100, 100'000})
        EXPECT_NEAR(LongRope{}.lower(shape_of(96, seq_len)).attention_scaling, std::sqrt(17.0 / 12), 1e-15);
    EXPECT_NEAR(std::sqrt(17.0 / 12), 1.190238, 5e-7);
    EXPECT_EQ((LongRope{.factor = 0.5}.attention_scaling()), 1);
    EXPECT_TRUE((LongRope{.original_length = 1}.check(shape_of(8)).has_value()));
    EXPECT_FALSE((LongRope{.factor = 1, .original_length = 1}.check(shape_of(8)).has_value()));
}

TEST(ContextExtension, ClippedFreezesTheSlowestPairAndLeavesTheBoundaryAlone) {
    // Wavelengths 2π · 10^(t/8): pair 18 has 1117 tokens, the first above 1024; 14 pairs are tapered.
    const Clipped by_length{.original_length = 1024};
    EXPECT_EQ(by_length.tapered_pairs(shape_of(64)), 14);
    const LoweredEncoding clipped = by_length.lower(shape_of(64)), rope = Rope{}.lower(shape_of(64));
    for (int t = 0; t <= 18; ++t) EXPECT_EQ(clipped.inv_freq[t], rope.inv_freq[t]) << t;
    for (int t = 19; t < 32; ++t) EXPECT_LT(clipped.inv_freq[t], clipped.inv_freq[t - 1]) << t;
    EXPECT_EQ(clipped.inv_freq.back(), 0);
    // sin² of the angle that is left to a right one is half the raised cosine.
    for (int t = 19; t < 32; ++t) {
        const double kept = std::pow(std::sin(std::numbers::pi / 2 * (31 - t) / 13), 2);
        EXPECT_NEAR(static_cast<double>(clipped.inv_freq[t] / rope.inv_freq[t]), kept, 1e-15) << t;
    }
}

TEST(ContextExtension, ClippedByFractionLeavesWhatPRopeLeaves) {
    for (const double p : {0.0, 0.29, 0.57, 0.75, 0.99, 1.0}) {
        const LoweredEncoding clipped = Clipped{.p = p}.lower(shape_of(200)), hard = PRope{.p = p}.lower(shape_of(200));
        const int kept = shape_of(200).pairs_in(p);
        for (int t = 0; t < kept; ++t) EXPECT_EQ(clipped.inv_freq[t], hard.inv_freq[t]);
        EXPECT_EQ(clipped.inv_freq.back() == 0, kept < 100) << p;
    }
    // A single tapered pair is frozen; half way through an odd number, half the frequency is left.
    EXPECT_EQ((Clipped{.p = 0.5}.lower(shape_of(4)).inv_freq), (std::vector<long double>{1, 0}));
    const auto five = Clipped{.p = 0}.lower(shape_of(10)).inv_freq;
    EXPECT_NEAR(static_cast<double>(five[2] / Rope{}.lower(shape_of(10)).inv_freq[2]), 0.5, 1e-16);
}

ArrayFile network(std::vector<std::int64_t> shape, std::vector<double> values) {
    auto content = std::make_shared<NpyArray>();
    content->shape = std::move(shape);
    content->values = std::move(values);
    static std::uint64_t networks = 0;
    content->hash = ++networks;
    return {.path = "weights.npy", .content = std::move(content)};
}

TEST(ContextExtension, ClexIsNtkByTwiceTheExtensionLessOne) {
    const Clex clex{.original_length = 1000, .max_factor = 3};
    const struct { int seq_len, alpha; } known[] = {{1, 1}, {1000, 1}, {1001, 3}, {2000, 3}, {2001, 5}, {90'000, 5}};
    for (const auto& [seq_len, alpha] : known)
        expect_same(clex.lower(shape_of(64, seq_len)), Ntk{.factor = static_cast<double>(alpha)}.lower(shape_of(64)),
                    1e-17);
    EXPECT_TRUE(Clex{}.check(shape_of(2)).has_value());
}

TEST(ContextExtension, ClexFollowsItsNetwork) {
    Clex clex{.original_length = 10, .weights = network({2, 1, 3}, {0, 0, 0, 0.5, -1, 2})};
    const Shape shape = shape_of(6, 40);
    ASSERT_EQ(clex.check(shape).value_or(""), "");
    // A hidden unit at 0 moves nothing: what is left is the closed form.
    expect_same(clex.lower(shape), Ntk{.factor = 7}.lower(shape), 1e-17);
    // A saturated one moves ln w evenly from t' = 1 to 4. Pair 1 starts at ln 10 000^(−1/3) < −3 and is shown twice
    // that.
    clex.activation = ClexActivation::tanh;
    clex.weights = network({2, 1, 3}, {0, -100, 0, 0.5, -1, 2});
    const LoweredEncoding moved = clex.lower(shape), still = Ntk{.factor = 7}.lower(shape);
    for (const auto& [pair, speed] : {std::pair{0, 0.5}, {1, -1.0}, {2, 2.0}})
        EXPECT_NEAR(static_cast<double>(std::log(moved.inv_freq[pair] / still.inv_freq[pair])), 3 * speed, 1e-13);
    EXPECT_EQ(clex.lower(shape_of(6, 10)), Rope{}.lower(shape));
}

TEST(ContextExtension, ClexRefusesWeightsThatDoNotFitOrDiverge) {
    const auto refused = [](ArrayFile weights) {
        return Clex{.original_length = 10, .weights = std::move(weights)}.check(shape_of(6, 40)).has_value();
    };
    EXPECT_TRUE(refused({.path = "missing.npy", .content = nullptr}));
    EXPECT_TRUE(refused(network({2, 3}, std::vector<double>(6))));
    EXPECT_TRUE(refused(network({2, 1, 4}, std::vector<double>(8))));
    EXPECT_TRUE(refused(network({3, 1, 3}, std::vector<double>(9))));
    EXPECT_TRUE(refused(network({2, 1, 3}, {-1e9, -1e9, -1e9, -1e9, -1e9, 1e9})));
    EXPECT_TRUE(refused(network({2, 1, 3}, {0, std::nan(""), 0, 1, 1, 1})));
    EXPECT_FALSE(refused(network({2, 1, 3}, {0, 0, 0, 0, 0, 0})));
}

/// A network in sliding mode: no step is small enough, so that every interval is halved to the end.
TEST(ContextExtension, ClexRefusesWeightsThatTakeTooLong) {
    constexpr std::int64_t pairs = 32, hidden = 512;
    std::vector<double> values(2 * hidden * pairs);
    for (std::int64_t unit = 0; unit < hidden; ++unit)
        values[unit * pairs + unit % pairs] = 300,
                                     values[(hidden + unit) * pairs + unit % pairs] = -8.0 * pairs / hidden;
    const Clex clex{.original_length = 1,
                    .max_factor = 64,
                    .weights = network({2, hidden, pairs}, std::move(values)),
                    .activation = ClexActivation::tanh};
    const auto start = std::chrono::steady_clock::now();
    EXPECT_NE(clex.check(shape_of(64, 64)).value_or("").find("take too long"), std::string::npos);
    EXPECT_EQ(clex.check(shape_of(64, 64)), clex.check(shape_of(64, 64))) << "what is known takes no time";
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
}

// The effective distances of every two tokens of contexts that end at the reach, and of those one token longer.
TEST(ContextExtension, SelfExtendReachesAsFarAsItSays) {
    for (const GroupOffset offset : {GroupOffset::integer, GroupOffset::fractional}) {
        for (const auto& [group, window, length] :
             {std::tuple{1, 5, 9}, {4, 8, 20}, {4, 9, 20}, {5, 12, 13}, {3, 7, 7}, {3, 9, 5}, {7, 0, 6}, {6, 20, 50}}) {
            const SelfExtend encoding{.group = group, .window = window, .original_length = length, .offset = offset};
            const auto max_effective = [&](std::int64_t last) {
                double max = 0;
                for (std::int64_t i = 0; i <= last; ++i)
                    for (std::int64_t j = 0; j <= i; ++j) {
                        const double joined =
                            offset == GroupOffset::integer
                                ? encoding.window - encoding.window / encoding.group
                                : encoding.window - static_cast<double>(encoding.window) / encoding.group;
                        const double far = static_cast<double>(i / encoding.group - j / encoding.group) + joined;
                        max = std::max(max, i - j < encoding.window ? static_cast<double>(i - j) : far);
                    }
                return max;
            };
            EXPECT_LT(max_effective(encoding.reach()), length) << group << " " << window << " " << length;
            EXPECT_GE(max_effective(encoding.reach() + 1), length) << group << " " << window << " " << length;
        }
    }
    // (L − W)·G + W tokens, distances from 0 on, where G divides W.
    EXPECT_EQ((SelfExtend{.group = 8, .window = 1024, .original_length = 4096}.reach()), (4096 - 1024) * 8 + 1024 - 1);
}

}  // namespace
}  // namespace ropewalk
