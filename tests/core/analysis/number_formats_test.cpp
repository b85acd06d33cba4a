// Number formats: rounding against tables of every value that a format has, and the errors that are on record.
#include "core/analysis/encodings/number_formats.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "core/attention/make_problem.h"
#include "core/experiment/scene_io.h"
#include "tests/core/analysis/ask.h"

namespace ropewalk {
namespace {

/// All finite values ≥ 0 of a 16-bit format with this many exponent bits, decoded from their bits, in order.
std::vector<double> values_of(int exponent_bits) {
    const int fraction_bits = 15 - exponent_bits, bias = (1 << (exponent_bits - 1)) - 1;
    std::vector<double> values;
    for (int bits = 0; bits < ((1 << exponent_bits) - 1) << fraction_bits; ++bits) {
        const int exponent = bits >> fraction_bits, fraction = bits & ((1 << fraction_bits) - 1);
        values.push_back(std::ldexp(exponent == 0 ? fraction : fraction + (1 << fraction_bits),
                                    std::max(exponent, 1) - bias - fraction_bits));
    }
    return values;
}

/// The nearest of the values; of two as near the one whose bits are even. Beyond the middle of the greatest and what
/// would come next: ∞.
double nearest(const std::vector<double>& values, double x) {
    const auto above = std::lower_bound(values.begin(), values.end(), x);
    if (above == values.begin()) return values.front();
    const double last = values.back(), before = values[values.size() - 2];
    if (above == values.end()) return x - last < (last - before) / 2 ? last : INFINITY;
    const double down = x - above[-1], up = *above - x;
    if (down != up) return down < up ? above[-1] : *above;
    return (above - values.begin()) % 2 == 0 ? *above : above[-1];
}

TEST(NumberFormats, RoundToTheNearestValueThatThereIs) {
    for (const auto& [format, bits] : {std::pair{NumberFormat::fp16, 5}, std::pair{NumberFormat::bf16, 8}}) {
        const auto values = values_of(bits);
        std::uint64_t state = 1;
        for (std::size_t i = 1; i < values.size(); ++i) {
            const double low = values[i - 1], high = values[i];
            state = state * 6364136223846793005u + 1442695040888963407u;
            for (const double x :
                 {low, (low + high) / 2, std::nextafter((low + high) / 2, 0), std::nextafter((low + high) / 2, high),
                  low + (high - low) * static_cast<double>(state >> 11) * 0x1p-53}) {
                ASSERT_EQ(rounded(x, format), nearest(values, x)) << x;
                ASSERT_EQ(rounded(-x, format), -nearest(values, x)) << x;
            }
        }
        for (const double factor : {1 + 0x1p-14, 1.001, 2.0, 1e30})
            ASSERT_EQ(rounded(values.back() * factor, format), nearest(values, values.back() * factor)) << factor;
    }
    for (int i = 0; i < 10000; ++i) {
        const double x = std::sin(i) * std::exp2(i % 290 - 150);
        ASSERT_EQ(rounded(x, NumberFormat::fp32), static_cast<double>(static_cast<float>(x))) << x;
        ASSERT_EQ(rounded(x, NumberFormat::fp64), x);
    }
    EXPECT_EQ(rounded(1e39, NumberFormat::fp32), INFINITY);
    EXPECT_TRUE(std::isnan(rounded(NAN, NumberFormat::fp16)));
}

constexpr StepFormats all_in(NumberFormat format) {
    return {format, format, format, format, format};
}

FormatEffect effect(const Experiment& experiment, const StepFormats& formats) {
    return ask(NumberFormatQuestion{.formats = formats, .cells = experiment.seq_len}, make_problem(experiment),
               {.query = experiment.seq_len - 1});
}

// The integers 0 … 256 are all there; then every second, every fourth and every eighth.
TEST(NumberFormats, Bf16Has641PositionsBelow2048) {
    const Experiment experiment{.head_dim = 4, .seq_len = 2048};
    EXPECT_EQ(effect(experiment, {.positions = NumberFormat::bf16}).distinct_positions, 257 + 3 * 128);
    EXPECT_EQ(effect(experiment, {.positions = NumberFormat::fp16}).distinct_positions, 2048);
    EXPECT_EQ(effect({.head_dim = 4, .seq_len = 4096}, {.positions = NumberFormat::fp16}).distinct_positions,
              2049 + 1024);
}

// NumPy 1.24: w = float16(10000**(−t/32)), angle = float16(m)·w, max|cos(angle) − cos(m·10000**(−t/32))| = 0.78188.
TEST(NumberFormats, Fp16TablesAreOffByThreeQuarters) {
    const auto half = effect({.head_dim = 32, .seq_len = 2048}, all_in(NumberFormat::fp16));
    EXPECT_NEAR(half.max_cosine_error, 0.781879, 1e-6);
    EXPECT_EQ(half.max_cosine_error, *std::max_element(half.cosine_error.begin(), half.cosine_error.end()));
    // With frequencies alone in fp16, by the same NumPy: 0.32158.
    EXPECT_NEAR(effect({.head_dim = 32, .seq_len = 2048}, {.frequencies = NumberFormat::fp16}).max_cosine_error,
                0.321581, 1e-6);
}

TEST(NumberFormats, DoublesAreExactAndFloatsAreOffAtAMillion) {
    const Experiment experiment = changed({}, "construction=gaussian seq_len=64 positions.start=1048000");
    const auto exact = effect(experiment, {});
    // Below position 2²⁰ half an ulp of a frequency below 1 and half an ulp of the angle come to at most 2⁻³⁴ each.
    for (int token = 0; token < 64; ++token) {
        EXPECT_LE(exact.angle_error[token], 0x1p-33) << token;
        EXPECT_NEAR(exact.scores[token], exact.exact_scores[token], 1e-8) << token;
    }
    const auto single = effect(experiment, all_in(NumberFormat::fp32));
    for (int token = 0; token < 64; ++token) {
        double max = 0;
        for (int pair = 0; pair < 32; ++pair) {
            const long double w = std::pow(10000.0L, -pair / 32.0L);
            const float angle = static_cast<float>(1048000 + token) * static_cast<float>(static_cast<double>(w));
            const long double off = static_cast<long double>(angle) - (1048000 + token) * w;
            max = std::max(max, static_cast<double>(std::abs(off)));
        }
        EXPECT_NEAR(single.angle_error[token], max, 1e-12) << token;
        EXPECT_GT(max, 1e-3) << token;
    }
}

// Every step written out for one entry: q = k = 1/√2 in one pair, distance 3.
TEST(NumberFormats, EveryStepIsRoundedOnce) {
    const Experiment experiment{.head_dim = 2, .seq_len = 20};
    const auto values = values_of(5);
    const auto half = [&](double x) { return std::copysign(nearest(values, std::abs(x)), x); };
    const double x = half(1 / std::sqrt(2.0));
    const auto turned = [&](int token) {
        const double c = half(std::cos(half(token))), s = half(std::sin(half(token)));
        return std::pair{half(half(x * c) - half(x * s)), half(half(x * s) + half(x * c))};
    };
    const auto found = effect(experiment, all_in(NumberFormat::fp16));
    for (int key = 0; key < 20; ++key) {
        const auto [q0, q1] = turned(19);
        const auto [k0, k1] = turned(key);
        EXPECT_EQ(found.scores[key], half(q0 * k0 + q1 * k1)) << key;
        EXPECT_NEAR(found.exact_scores[key], std::cos(19 - key), 1e-12) << key;
    }
}

// Transformers stores cos·attention_scaling (modeling_rope_utils.py): YaRN of factor 16 multiplies by 0.1·ln 16 + 1.
TEST(NumberFormats, TheTableHoldsTheAttentionScaling) {
    const Experiment experiment = changed({.head_dim = 2, .seq_len = 20}, "encoding=yarn encoding.factor=16");
    const LoweredEncoding lowered = make_problem(experiment).lowered;
    const double scaling = 0.1 * std::log(16.0) + 1, w = static_cast<double>(lowered.inv_freq[0]),
                 x = 1 / std::sqrt(2.0);
    ASSERT_NEAR(lowered.attention_scaling, scaling, 1e-12);
    const auto values = values_of(8);
    const auto stored = [&](double value) { return std::copysign(nearest(values, std::abs(value)), value); };
    const auto found = effect(experiment, {.table = NumberFormat::bf16});
    const auto turned = [&](int token) {
        const double c = stored(scaling * std::cos(token * w)), s = stored(scaling * std::sin(token * w));
        EXPECT_NEAR(found.cosine_error[token], std::abs(c / scaling - std::cos(token * w)), 1e-12) << token;
        return std::pair{x * c - x * s, x * s + x * c};
    };
    const auto [q0, q1] = turned(19);
    for (int key = 0; key < 20; ++key) {
        const auto [k0, k1] = turned(key);
        EXPECT_NEAR(found.scores[key], q0 * k0 + q1 * k1, 1e-12) << key;
        EXPECT_NEAR(found.exact_scores[key], scaling * scaling * std::cos((19 - key) * w), 1e-12) << key;
    }
}

TEST(NumberFormats, CellsTogetherHoldEveryToken) {
    const Experiment experiment{.head_dim = 16, .seq_len = 1000};
    const auto each = effect(experiment, all_in(NumberFormat::fp32));
    const auto pooled = ask(NumberFormatQuestion{.formats = all_in(NumberFormat::fp32), .cells = 7},
                            make_problem(experiment), {.query = 999});
    for (int cell = 0; cell < 7; ++cell)
        EXPECT_EQ(pooled.angle_error[cell], *std::max_element(each.angle_error.begin() + cell * 1000 / 7,
                                                              each.angle_error.begin() + (cell + 1) * 1000 / 7));
}

TEST(NumberFormats, OfAddedWavesTheySayThatNothingTurns) {
    const auto waves = effect(changed({}, "encoding=sinusoidal"), {});
    EXPECT_NE(waves.complaint, "");
    EXPECT_TRUE(waves.scores.empty());
}

}  // namespace
}  // namespace ropewalk
