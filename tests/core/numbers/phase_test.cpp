// Phases of angles against values in 120 digits, by Python's decimal from the published digits of π.
#include "core/numbers/phase.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace ropewalk {
namespace {

TEST(Phase, IsRoundedCorrectly) {
    struct Known {
        double angle;
        Phase phase;
    };
    constexpr std::array<Known, 15> all{{
        {0x1.0000000000000p-1, 0x145f306dc9c882a5},
        {0x1.0000000000000p+0, 0x28be60db9391054a},
        {-0x1.0000000000000p+0, 0xd7419f246c6efab6},
        {0x1.999999999999ap-4, 0x041309af8ec1b3cb},
        {-0x1.999999999999ap-4, 0xfbecf650713e4c35},
        {0x1.921fb54442d18p+2, 0xfffffffffffffd31},
        {-0x1.921fb54442d18p+2, 0x00000000000002cf},
        {0x1.921fb54442d18p+1, 0x7ffffffffffffe98},
        {0x1.12e0be826d695p-30, 0x00000000aefe2247},
        {-0x1.12e0be826d695p-30, 0xffffffff5101ddb9},
        {0x1.81cd6c8b43958p+13, 0xe02c8877e382f371},
        {-0x1.81cd6c8b43958p+13, 0x1fd377881c7d0c8f},
        {0x1.e848000000000p+19, 0xf16e786f96fbf8f4},
        {0x1.bb5fad00ab22cp+19, 0x5e55644661e19375},
        {0x1.dcd6500000000p+28, 0x8bc339f2e4223c3c},
    }};
    for (const auto& [angle, phase] : all) EXPECT_EQ(phase_of(angle), phase) << angle;
}

TEST(Phase, OfHugeAnglesIsWithinFewUnits) {
    const auto apart = [](Phase a, Phase b) { return std::min<Phase>(a - b, b - a); };
    EXPECT_LE(apart(phase_of(60000000000.0), 0x838329daf00c3c15), 4u);
    EXPECT_LE(apart(phase_of(-68700000000.0), 0x9637e5d5f4d34572), 4u);
    EXPECT_LE(apart(phase_of(68719476736.0), 0x391054a7f09d5f48), 4u);
}

TEST(Phase, RoundsLikeTheLibrary) {
    for (int exponent = -70; exponent <= 70; ++exponent)
        for (const long double mantissa : {1.0L, 1.25L, 1.5L, 1.75L, 1.999999999L, 1.0000000001L}) {
            const long double x = std::ldexp(mantissa, exponent);
            for (const long double near : {x, x - 0.5L, x + 0.5L}) {
                const long double positive = std::max(near, 0.0L);
                EXPECT_EQ(phase_detail::whole_part(positive), std::floor(positive)) << near;
                EXPECT_EQ(phase_detail::rounded(near), std::nearbyint(near)) << near;
                EXPECT_EQ(phase_detail::rounded(-near), std::nearbyint(-near)) << near;
            }
        }
}

TEST(Phase, PositionsWrapExactly) {
    const Phase per_token = phase_of(0.75L);
    Phase sum = 0;
    for (int position = 0; position < 1000; ++position, sum += per_token) EXPECT_EQ(phase_at(position, per_token), sum);
    EXPECT_EQ(phase_at(-1000, per_token), 0 - sum);
}

/// Frequencies that double holds exactly, at position 10⁶ and the last of 2²⁰: half a unit of 2⁻⁶⁴ turns a token.
TEST(Phase, OfFarPositionsIsWithinItsBound) {
    struct Known {
        double frequency;
        std::int64_t position;
        long double angle;  // in [−π, π]
    };
    constexpr std::array<Known, 12> all{{
        {0x1.0000000000000p+0, 1000000, -0.35756416708573504401533L},
        {0x1.0000000000000p+0, 1048575, -0.66317397246878815340732L},
        {0x1.bb5fad00ab22cp-1, 1000000, -3.12523134680031845677498L},
        {0x1.bb5fad00ab22cp-1, 1048575, 1.449329608222020511792297L},
        {0x1.7ff2224115d9ap-1, 1000000, 2.326105879407982622115156L},
        {0x1.7ff2224115d9ap-1, 1048575, -1.47108682379031077626812L},
        {0x1.999999999999ap-4, 1000000, 3.105836236886770849184235L},
        {0x1.999999999999ap-4, 1048575, -2.57959152011289264557061L},
        {0x1.47ae147ae147bp-7, 1000000, -2.83100902990146309823941L},
        {0x1.47ae147ae147bp-7, 1048575, -0.88627768272961170978335L},
        {0x1.5555555555555p-2, 1000000, -2.21358315810694422405729L},
        {0x1.5555555555555p-2, 1048575, -2.31545309323552741191164L},
    }};
    for (const auto& [frequency, position, angle] : all)
        EXPECT_NEAR(static_cast<double>(angle_of(phase_at(position, phase_of(frequency))) - angle), 0, 1.79e-13)
            << frequency << " at " << position;
}

}  // namespace
}  // namespace ropewalk
