// Waves expanded in Chebyshev polynomials, against cosines and sines and the standard library's Bessel functions.
#include "core/series/slow_terms.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace ropewalk {
namespace {

TEST(SlowTerms, ExpansionsAreTheWaves) {
    const std::vector<double> z{0, 1e-30, 1e-9, 0.3, -0.3, 1, -2.5, 7, 11.5, 28, -40};
    for (const double only : z) {
        const std::vector<double> some{only, only / 2};
        const auto expansion = expand_waves(some);
        const auto order = static_cast<std::size_t>(expansion.order);
        for (std::size_t wave = 0; wave < 2; ++wave)
            for (double x = -1; x <= 1; x += 0.03125) {
                long double cosine = 0, sine = 0, even = 1, odd = x;
                for (std::size_t k = 0; k < order; ++k) {
                    cosine += expansion.even[wave * order + k] * even;
                    sine += expansion.odd[wave * order + k] * odd;
                    even = 2 * x * odd - even;
                    odd = 2 * x * even - odd;
                }
                EXPECT_NEAR(static_cast<double>(cosine), std::cos(some[wave] * x), 4e-15) << only << " " << x;
                EXPECT_NEAR(static_cast<double>(sine), std::sin(some[wave] * x), 4e-15) << only << " " << x;
            }
    }
}

TEST(SlowTerms, CoefficientsAreBesselFunctions) {
    const double z = 13.7;
    const auto expansion = expand_waves(std::vector<double>{z});
    for (int k = 0; k < expansion.order; ++k) {
        const double sign = k % 2 == 0 ? 1 : -1;
        EXPECT_NEAR(expansion.even[k], sign * (k == 0 ? 1 : 2) * std::cyl_bessel_j(2 * k, z), 1e-15);
        EXPECT_NEAR(expansion.odd[k], sign * 2 * std::cyl_bessel_j(2 * k + 1, z), 1e-15);
    }
    EXPECT_LT(std::cyl_bessel_j(2 * expansion.order, z), 1e-17);
}

TEST(SlowTerms, ManySlowWavesAreExpandedAndFewAreNot) {
    std::vector<double> z;
    for (int t = 0; t < 128; ++t) z.push_back(724 * std::pow(10'000.0, -t / 128.0));
    const std::size_t count = waves_to_expand(z, 724, 725);
    EXPECT_GT(count, 60u);
    EXPECT_LT(expansion_order(z[z.size() - count]), static_cast<int>(count) / 2);
    EXPECT_LE(expansion_order(z[z.size() - count]), most_order);
    EXPECT_EQ(waves_to_expand(std::vector<double>{700, 600, 500}, 724, 725), 0u);
    EXPECT_EQ(waves_to_expand({}, 724, 725), 0u);
    EXPECT_EQ(waves_to_expand(std::vector<double>(64, 0.0), 8, 1), 0u);  // too short to pay
}

}  // namespace
}  // namespace ropewalk
