// Encodings against values written out by hand or derived here in another way.
#include "core/encodings/encoding.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "core/encodings/encoding_list.h"
#include "core/experiment/experiment.h"
#include "tests/core/attention/shapes.h"

namespace ropewalk {
namespace {

TEST(Encoding, FrequenciesAreAGeometricSeriesFromOne) {
    const LoweredEncoding lowered = Rope{.base = 500'000}.lower(shape_of(128));
    ASSERT_EQ(lowered.pairs(), 64);
    EXPECT_EQ(lowered.inv_freq[0], 1);
    const long double ratio = std::exp(-std::log(500'000.0L) / 64);
    for (int t = 1; t < 64; ++t)
        EXPECT_NEAR(static_cast<double>(lowered.inv_freq[t] / lowered.inv_freq[t - 1] / ratio), 1, 1e-17);
}

TEST(Encoding, SlowestPairOfExponentDMinus2IsOneOverTheBase) {
    const Rope rope{.base = 10'000, .exponent = RopeExponent::d_minus_2};
    EXPECT_NEAR(static_cast<double>(rope.lower(shape_of(64)).inv_freq.back() * 10'000), 1, 1e-15);
    EXPECT_GT(Rope{}.lower(shape_of(64)).inv_freq.back(), 1.2e-4L);  // 10000^(−62/64)
    EXPECT_TRUE(rope.check(shape_of(2)).has_value());
    EXPECT_FALSE(rope.check(shape_of(4)).has_value());
}

// int(p · d // 2) of Python, from left to right in double; rounding instead of flooring would give 29, 57 or 58 for
// some of these.
TEST(Encoding, PRopeCountsPairsAsPublishedCodeDoes) {
    const struct {
        double p;
        int head_dim, pairs;
    } known[] = {{0.29, 200, 28}, {0.57, 200, 56}, {0.58, 200, 57}, {0.58, 100, 28},
                 {0.25, 512, 64}, {0, 64, 0},      {1, 64, 32},     {0.75, 6, 2}};
    for (const auto& [p, head_dim, pairs] : known) {
        EXPECT_EQ(shape_of(head_dim).pairs_in(p), pairs) << p << " of " << head_dim;
        const LoweredEncoding lowered = PRope{.p = p}.lower(shape_of(head_dim));
        int rotating = 0;
        for (const long double w : lowered.inv_freq) rotating += w != 0;
        EXPECT_EQ(rotating, pairs);
        for (int t = 0; t < rotating; ++t) EXPECT_EQ(lowered.inv_freq[t], Rope{}.lower(shape_of(head_dim)).inv_freq[t]);
    }
}

TEST(Encoding, AFractionCanCountAnyNumberOfPairs) {
    for (int head_dim = 2; head_dim <= widest_head; head_dim += 2) {
        const Shape shape = shape_of(head_dim);
        for (int count = 0; count <= shape.pairs(); ++count) {
            const double fraction = shape.fraction_of(count);
            EXPECT_EQ(shape.pairs_in(fraction), count) << head_dim;
            EXPECT_EQ(static_cast<int>(head_dim * fraction), 2 * count) << "channels, as partial rotary counts them";
            EXPECT_NEAR(fraction, static_cast<double>(count) / shape.pairs(), 2e-16);
        }
    }
}

TEST(Encoding, PartialSqueezesTheWholeSpectrumIntoItsChannels) {
    const LoweredEncoding lowered = Partial{.fraction = 0.5}.lower(shape_of(64));
    EXPECT_EQ(lowered.rotary_dim, 32);
    ASSERT_EQ(lowered.pairs(), 32);
    for (int t = 0; t < 16; ++t) EXPECT_EQ(lowered.inv_freq[t], Rope{}.lower(shape_of(32)).inv_freq[t]);
    for (int t = 16; t < 32; ++t) EXPECT_EQ(lowered.inv_freq[t], 0);
    EXPECT_TRUE((Partial{.fraction = 0.05}.check(shape_of(64))).has_value());   // 3 channels
    EXPECT_FALSE((Partial{.fraction = 0.07}.check(shape_of(64))).has_value());  // 4 channels
}

TEST(Encoding, PartialPairsItsRotatedChannelsAmongThemselves) {
    const PairLayout half{Pairing::half_split, 8, 4}, whole{Pairing::half_split, 8, 8},
        interleaved{Pairing::interleaved, 8, 4};
    const auto channels = [](const PairLayout& layout) {
        std::vector<int> list;
        for (int t = 0; t < 4; ++t) list.insert(list.end(), {layout.first(t), layout.second(t)});
        return list;
    };
    EXPECT_EQ(channels(whole), (std::vector{0, 4, 1, 5, 2, 6, 3, 7}));
    EXPECT_EQ(channels(half), (std::vector{0, 2, 1, 3, 4, 6, 5, 7}));
    EXPECT_EQ(channels(interleaved), (std::vector{0, 1, 2, 3, 4, 5, 6, 7}));
}

// Llama 2 with YaRN × 16 as its authors released it: d = 128, base 10000, L = 4096: floor c(32) = 20, ceil c(1) = 46.
TEST(Encoding, YarnRampRunsOverThePublishedPairs) {
    const Yarn yarn{.factor = 16, .original_length = 4096};
    const LoweredEncoding lowered = yarn.lower(shape_of(128)), rope = Rope{}.lower(shape_of(128));
    EXPECT_EQ(yarn.interpolation(20, shape_of(128)), 0);
    EXPECT_GT(yarn.interpolation(21, shape_of(128)), 0);
    EXPECT_LT(yarn.interpolation(45, shape_of(128)), 1);
    EXPECT_EQ(yarn.interpolation(46, shape_of(128)), 1);
    EXPECT_EQ(lowered.inv_freq[10], rope.inv_freq[10]);
    EXPECT_NEAR(static_cast<double>(lowered.inv_freq[60] * 16 / rope.inv_freq[60]), 1, 1e-17);
    EXPECT_NEAR(static_cast<double>(lowered.inv_freq[33] / rope.inv_freq[33]), (0.5 / 16 + 0.5),
                1e-15);  // half way: (33 − 20) / 26
    EXPECT_DOUBLE_EQ(lowered.attention_scaling, 0.1 * std::log(16.0) + 1);
}

TEST(Encoding, YarnPartsCanBeSwitchedOff) {
    const LoweredEncoding rope = Rope{}.lower(shape_of(64));
    const LoweredEncoding scaling_only = Yarn{.scale_frequencies = false}.lower(shape_of(64)),
                          frequencies_only = Yarn{.scale_attention = false}.lower(shape_of(64));
    EXPECT_EQ(scaling_only.inv_freq, rope.inv_freq);
    EXPECT_GT(scaling_only.attention_scaling, 1);
    EXPECT_EQ(frequencies_only.attention_scaling, 1);
    EXPECT_EQ((Yarn{.factor = 0.5}.lower(shape_of(64)).attention_scaling), 1);
    EXPECT_EQ((Yarn{.factor = 1}.lower(shape_of(64)).inv_freq), rope.inv_freq);
}

TEST(Encoding, YarnPaperRampIsLinearInTurns) {
    const Yarn yarn{.factor = 4, .original_length = 4096, .ramp = YarnRamp::paper};
    for (int t = 0; t < 64; ++t) {
        const double turns = 4096 * std::pow(10'000.0, -2.0 * t / 128) / (2 * std::numbers::pi);
        const double kept = turns > 32 ? 1 : turns < 1 ? 0 : (turns - 1) / 31;
        EXPECT_NEAR(static_cast<double>(yarn.interpolation(t, shape_of(128))), 1 - kept, 1e-13) << t;
    }
}

// Press et al. 2022: 1/2 … 1/256 for 8 heads; for 12 heads these and every other slope of 16 heads, as in the released
// code.
TEST(Encoding, AlibiSlopesAreThePublishedOnes) {
    for (int head = 0; head < 8; ++head)
        EXPECT_DOUBLE_EQ((Alibi{.heads = 8, .head = head}.slope()), std::pow(0.5, head + 1));
    const double twelve[] = {0.5,
                             0.25,
                             0.125,
                             0.0625,
                             0.03125,
                             0.015625,
                             0.0078125,
                             0.00390625,
                             0.7071067811865476,
                             0.35355339059327384,
                             0.17677669529663692,
                             0.08838834764831849};
    for (int head = 0; head < 12; ++head)
        EXPECT_DOUBLE_EQ((Alibi{.heads = 12, .head = head}.slope()), twelve[head]) << head;
    EXPECT_TRUE((Alibi{.heads = 8, .head = 8}.check(shape_of(8))).has_value());
}

TEST(Encoding, SelfExtendWithGroupOneIsRope) {
    EXPECT_EQ((SelfExtend{.group = 1, .window = 7}.lower(shape_of(64))), Rope{}.lower(shape_of(64)));
    const LoweredEncoding grouped = SelfExtend{.group = 5, .window = 12}.lower(shape_of(64));
    ASSERT_TRUE(grouped.far.has_value());
    EXPECT_EQ(grouped.far->maps.query.offset, 12 - 2);
    EXPECT_FALSE(grouped.relative());
    EXPECT_EQ((SelfExtend{.group = 5, .window = 12, .offset = GroupOffset::fractional}
                   .lower(shape_of(64))
                   .far->maps.query.offset),
              12 - 12.0L / 5);
}

TEST(Encoding, EveryOneLowersEveryShapeItAccepts) {
    for_each_alternative<Encoding>([](const auto& encoding) {
        for (const int head_dim : {2, 4, 6, 64, 256}) {
            if constexpr (requires { encoding.check(shape_of(head_dim)); })
                if (encoding.check(shape_of(head_dim))) continue;
            const LoweredEncoding lowered = encoding.lower(shape_of(head_dim));
            EXPECT_EQ(lowered.head_dim(), head_dim) << encoding.id;
            for (const long double w : lowered.inv_freq)
                EXPECT_TRUE(std::isfinite(w) && w >= 0 && w <= 1) << encoding.id;
        }
    });
}

TEST(Encoding, ChangingItKeepsFieldsOfTheSameName) {
    Encoding encoding = Rope{.base = 123'456};
    ASSERT_TRUE(choose(encoding, "yarn"));
    EXPECT_EQ(get<Yarn>(encoding).base, 123'456);
    EXPECT_FALSE(choose(encoding, "no such"));
    EXPECT_STREQ(id_of(encoding), "yarn");
}

TEST(Encoding, AttentionScalingThatCannotBeUndoneIsRefused) {
    for (const Encoding& tiny :
         {Encoding(Yarn{.attention_factor = 1e-155}), Encoding(LongRope{.attention_factor = 9e-7})})
        EXPECT_NE(check(tiny, shape_of(8)), std::nullopt);
    for (const double factor : {0.0, 1e-6, 1000.0})
        EXPECT_EQ(check(Encoding(Yarn{.attention_factor = factor}), shape_of(8)), std::nullopt) << factor;
}

TEST(Encoding, ChangingItKeepsNoValueThatTheOtherRefuses) {
    Encoding encoding = Clipped{.original_length = 0};
    ASSERT_TRUE(choose(encoding, "yarn"));
    EXPECT_EQ(get<Yarn>(encoding), Yarn{});
}

}  // namespace
}  // namespace ropewalk
