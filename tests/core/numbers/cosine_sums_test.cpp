// Sums over the RoPE frequencies, against the same sums in long double.
#include "core/series/cosine_sums.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/core/attention/cpu_instruction_sets.h"

namespace ropewalk {
namespace {

struct ByHand {
    long double value = 0, slope = 0, curvature = 0, rounding = 0;

    ByHand(int pairs, double u, double distance) {
        for (int t = 0; t < pairs; ++t) {
            const double s = static_cast<double>(t) / pairs;
            const long double x = distance * std::exp(-static_cast<long double>(u) * s);
            value += std::cos(x);
            slope += x * s * std::sin(x);
            curvature += x * s * s + x * x * s * s;
            rounding += 5e-16L * (1 + x);
        }
    }
};

TEST(CosineSums, AreTheSumsOnEveryInstructionSet) {
    cpu_test::on_every_instruction_set([] {
        for (const int pairs : {1, 2, 7, 8, 64, 129}) {
            for (const double u : {0.0, 0.5, 9.2103, 20.1})
                for (const double distance : {0.0, 1.0, 17.0, 4099.0, 1'048'575.0}) {
                    SCOPED_TRACE(testing::Message() << pairs << " pairs, base e^" << u << ", distance " << distance);
                    const ByHand expected(pairs, u, distance);
                    const auto near = static_cast<double>(expected.rounding);
                    const CosineSums found = cosine_sums(2 * pairs, u, distance);
                    EXPECT_NEAR(found.value, static_cast<double>(expected.value), near);
                    EXPECT_NEAR(found.slope, static_cast<double>(expected.slope), near * (1 + distance));
                    EXPECT_NEAR(found.curvature, static_cast<double>(expected.curvature),
                                1e-14 * static_cast<double>(expected.curvature));
                }
        }
    });
}

}  // namespace
}  // namespace ropewalk
