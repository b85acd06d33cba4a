// Curves that coincide: which do, on which axis, and how wide they are then drawn.
#include "app/figures/parts/curves/twins.h"

#include <gtest/gtest.h>

namespace ropewalk {
namespace {

Series through(std::vector<double> y, const char* label = "curve") {
    return {.label = label, .points = points_of({0, 1}, y), .width = 1.5};
}

bool become_twins(std::vector<double> below, std::vector<double> above, const Axis& y) {
    std::vector<Series> series{through(std::move(below)), through(std::move(above))};
    widen_twins(series, y);
    return series[0].width > 1.5;
}

TEST(Twins, CoincideOnTheShownAxis) {
    const Axis linear{.low = 1, .high = 1000}, logarithmic{.low = 1, .high = 1000, .scale = AxisScale::logarithmic};
    EXPECT_TRUE(become_twins({1, 1000}, {2, 1000}, linear)) << "0.1 % of the axis apart";
    EXPECT_FALSE(become_twins({1, 1000}, {2, 1000}, logarithmic)) << "10 % of the axis apart";
    EXPECT_TRUE(become_twins({1, 1000}, {1.001, 1000}, logarithmic));
    EXPECT_TRUE(become_twins({1, infinity}, {1, infinity}, linear));
    EXPECT_FALSE(become_twins({1, infinity}, {1, 900}, linear));
}

TEST(Twins, AreAlikeOverMoreThanHalfOfTheirLength) {
    std::vector<double> one(100), other(100);
    for (std::size_t i = 0; i < 100; ++i) one[i] = other[i] = static_cast<double>(i);
    EXPECT_TRUE(are_alike(one, other));
    for (std::size_t i = 0; i < 49; ++i) other[i] += 1;  // 1 % of the range
    EXPECT_TRUE(are_alike(one, other)) << "the other would be hidden where they coincide";
    other[49] += 1;
    EXPECT_FALSE(are_alike(one, other));
    EXPECT_FALSE(are_alike(one, std::vector<double>(99)));
}

TEST(Twins, AreWiderBelowAndNotWidenedTwice) {
    const Axis y{.low = 0, .high = 2};
    std::vector<Series> series{through({1, 1}), through({1, 1}), through({1, 1}), through({1, 1}, "")};
    for (int time = 0; time < 2; ++time) {
        widen_twins(series, y);
        EXPECT_EQ(series[0].width, 2 + 3 + 3);
        EXPECT_EQ(series[1].width, 2 + 3);
        EXPECT_EQ(series[2].width, 1.5);
        EXPECT_EQ(series[3].width, 1.5) << "a curve without a name";
        EXPECT_TRUE(series[0].dash.is_solid());
        EXPECT_FALSE(series[1].dash.is_solid());
        EXPECT_EQ(series[2].dash, series[1].dash);
        EXPECT_TRUE(series[3].dash.is_solid());
    }
}

}  // namespace
}  // namespace ropewalk
