// Base and context: the paper's numbers, and certificates checked by scans of their own.
#include "core/analysis/encodings/base_bound.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <numbers>

namespace ropewalk {
namespace {

/// B_m written out in long double.
long double margin(long double base, int head_dim, int m) {
    long double sum = 0;
    for (int t = 0; t < head_dim / 2; ++t) sum += std::cos(m * std::pow(base, -2.0L * t / head_dim));
    return sum;
}

/// The first negative B_m up to `most`, or −1, one by one.
int first_negative_by_hand(double base, int head_dim, int most) {
    std::vector<double> w;
    for (int t = 0; t < head_dim / 2; ++t) w.push_back(std::pow(base, -2.0 * t / head_dim));
    for (int m = 0; m <= most; ++m) {
        double sum = 0;
        for (const double frequency : w) sum += std::cos(m * frequency);
        if (sum < 0) return m;
    }
    return -1;
}

TEST(BaseBound, MarginsAreSumsOfCosines) {
    std::vector<double> margins(50);
    similarity_margins(500'000, 128, 1000, margins, {});
    for (int i = 0; i < 50; ++i) EXPECT_NEAR(margins[i], static_cast<double>(margin(500'000, 128, 1000 + i)), 1e-11);
}

TEST(BaseBound, LongestContextsOfWellKnownBases) {
    EXPECT_EQ(first_negative_margin(1e4, 128, 1 << 20, {}), 1707);
    EXPECT_EQ(first_negative_margin(5e5, 128, 1 << 20, {}), 18438);
    EXPECT_EQ(first_negative_margin(1e6, 128, 1 << 20, {}), 27115);
    EXPECT_EQ(first_negative_margin(1e6, 128, 27114, {}), std::nullopt);
    EXPECT_EQ(first_negative_by_hand(1e4, 128, 2000), 1707);
}

// Six of the eight entries up to 128k are what the two-digit grid gives; the two others are
// infeasible themselves. (128k is left out for its time; it is the grid's too.)
TEST(BaseBound, PublishedTableIsTheGridWhereItIsFeasible) {
    for (const auto& [context, base] : published_bases) {
        if (context > 64'000) break;
        const auto negative = first_negative_margin(base, 128, context, {});
        if (context == 16'000) {
            EXPECT_EQ(negative, 12'223);
        } else if (context == 32'000) {
            EXPECT_EQ(negative, 27'685);
        } else {
            EXPECT_EQ(negative, std::nullopt) << context;
            EXPECT_EQ(min_base_on_grid(context, 128, {}), base) << context;
        }
    }
}

// A certificate is checked where it is made: between 1 and the bound, dense sampling finds no feasible base; the bound
// itself is feasible.
TEST(BaseBound, CertifiedSearchMissesNoFeasibleBase) {
    const struct { int head_dim, context; } cases[] = {{128, 1000}, {64, 300}, {8, 40}};
    for (const auto& [head_dim, context] : cases) {
        const auto min = min_base(context, head_dim, {});
        ASSERT_TRUE(min.feasible);
        EXPECT_EQ(first_negative_by_hand(*min.feasible, head_dim, context), -1);
        EXPECT_GE(*min.feasible, min.excluded);
        EXPECT_LE(*min.feasible / min.excluded - 1, 1e-6);
        for (int i = 0; i < 2000; ++i) {
            const double base = std::pow(min.excluded, i / 2000.0);
            EXPECT_NE(first_negative_by_hand(base, head_dim, context), -1) << head_dim << ": " << base;
        }
    }
}

// Feasibility is not monotone: for 2000 tokens bases from 11 587.25 on serve, some larger ones do not.
TEST(BaseBound, LargerBasesMayFailWhereSmallerOnesServe) {
    const auto min = min_base(2000, 128, {});
    ASSERT_TRUE(min.feasible);
    EXPECT_NEAR(*min.feasible, 11'587.25, 0.01);
    EXPECT_EQ(first_negative_margin(*min.feasible, 128, 2000, {}), std::nullopt);
    EXPECT_NE(first_negative_margin(15'000, 128, 2000, {}), std::nullopt);
    EXPECT_EQ(min_base_on_grid(2000, 128, {}), 16'000);
}

// With two pairs B_m = cos m + cos(m·base^(−½)). Where m is close to an odd multiple of π, as 22 is to 7π, 311 to
// 99π and 355 to 113π, B_m is negative up to a base of (m/(m − kπ))², and close to 0 from long before.
TEST(BaseBound, MarginsCloseToZeroAreDecidedOrEndTheSearch) {
    const auto closed_form = [](int m, int k) {
        return static_cast<double>(std::pow(m / (m - k * std::numbers::pi_v<long double>), 2));
    };
    const struct { int context, m, k; } cases[] = {{22, 22, 7}, {64, 22, 7}, {354, 311, 99}};
    for (const auto& [context, m, k] : cases) {
        const MinBase min = min_base(context, 4, {});
        ASSERT_TRUE(min.feasible) << context;
        EXPECT_NEAR(*min.feasible / closed_form(m, k), 1, 1e-6) << context;
        EXPECT_LE(min.excluded, *min.feasible);
    }
    for (const int context : {355, 5000}) {
        const MinBase min = min_base(context, 4, {});
        EXPECT_FALSE(min.feasible) << context;
        EXPECT_LT(min.excluded, closed_form(355, 113));
        EXPECT_GT(min.excluded, 0.99 * closed_form(355, 113)) << context;
    }
}

TEST(BaseBound, ShortestContextsAllowAnyBase) {
    const auto min = min_base(1, 128, {});
    ASSERT_TRUE(min.feasible);
    EXPECT_NEAR(*min.feasible, 1, 1e-6);
    EXPECT_EQ(min_base_on_grid(1, 128, {}), 1);
}

TEST(BaseBound, CertifiedSearchReportsProgressAndStopsWhenAsked) {
    std::atomic<std::uint64_t> generation{0};
    double last = 0;
    EXPECT_THROW(min_base(32'000, 128, Cancel(generation, 0),
                          [&](double excluded) {
                              EXPECT_GE(excluded, last);
                              last = excluded;
                              if (excluded > 1000) generation = 1;
                          }),
                 Cancelled);
    EXPECT_GT(last, 1000);
    EXPECT_LT(last, 600'000);
}

}  // namespace
}  // namespace ropewalk
