#include "app/figures/parts/cells/value_range.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace ropewalk {
namespace {

TEST(ValueRange, IsOfFiniteValues) {
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    const auto of = [](const std::vector<double>& values) { return finite_range(values); };
    EXPECT_EQ(of({3, none, -2, 1, 0, 2.5}), (ValueRange{-2, 3}));
    EXPECT_EQ(of({infinity, 3, none, -2, -infinity, 1}), (ValueRange{-2, 3}));
    EXPECT_EQ(of({-infinity, 4}), (ValueRange{4, 4}));
    EXPECT_EQ(of({none, infinity, -infinity}), ValueRange{});
    EXPECT_EQ(of({}), ValueRange{});
}

}  // namespace
}  // namespace ropewalk
