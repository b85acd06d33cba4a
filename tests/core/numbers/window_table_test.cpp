// Sums and extremes over windows against those of the values one by one.
#include "core/series/window_table.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace ropewalk::cpu {
namespace {

/// Values of both signs over many powers of ten.
std::vector<double> uneven(std::size_t size) {
    std::vector<double> values(size);
    for (std::size_t i = 0; i < size; ++i)
        values[i] = std::sin(static_cast<double>(i * i)) * std::pow(10.0, static_cast<double>(i % 23) - 11);
    return values;
}

template <class Fold>
double one_by_one(const std::vector<double>& values, std::int64_t first, std::int64_t last, double outside) {
    long double sum = 0;
    double extreme = first < 0 ? Fold::of(Fold::nothing, outside) : Fold::nothing;
    for (std::int64_t i = std::max<std::int64_t>(first, 0); i <= last; ++i) {
        sum += values[static_cast<std::size_t>(i)];
        extreme = Fold::of(extreme, values[static_cast<std::size_t>(i)]);
    }
    return std::is_same_v<Fold, Sum> ? static_cast<double>(sum) : extreme;
}

template <class Fold>
class WindowTableTest : public testing::Test {};
using Folds = testing::Types<Sum, Max, Min>;
TYPED_TEST_SUITE(WindowTableTest, Folds);

TYPED_TEST(WindowTableTest, GivesEveryWindowFromTheNarrowestOn) {
    constexpr bool sums = std::is_same_v<TypeParam, Sum>;
    const double outside = sums ? 0 : std::is_same_v<TypeParam, Max> ? 0.25 : -0.25;
    Workspace workspace;
    for (const int size : {1, 2, 64, 1000, 4096, 4097, 9000})
        for (const int narrowest : {1, 2, 3, 63, 64, 1024, 1025, 5000}) {
            if (narrowest > size) continue;
            std::vector<double> values = uneven(static_cast<std::size_t>(size));
            WindowTable<TypeParam> table(values.size(), narrowest, outside, workspace);
            constexpr std::size_t stretch = 4 * WindowTable<TypeParam>::longest_block;
            for (std::size_t begin = 0; begin < values.size(); begin += stretch)
                table.take(begin, std::span(values).subspan(begin, std::min(stretch, values.size() - begin)));
            for (const int width : {narrowest, narrowest + 1, 2 * narrowest, 3 * narrowest + 5}) {
                std::vector<double> all(static_cast<std::size_t>(size) + 2);
                table.fill(width, -2, all, {});
                for (std::int64_t last = -2; last < size; last += 1 + size / 200) {
                    const double expected = one_by_one<TypeParam>(values, last - width + 1, last, outside);
                    double magnitude = 0;
                    for (std::int64_t i = std::max<std::int64_t>(0, last - width + 1); sums && i <= last; ++i)
                        magnitude += std::abs(values[static_cast<std::size_t>(i)]);
                    const double error = 1e-13 * magnitude;
                    ASSERT_NEAR(table.of(last - width + 1, last), expected, error)
                        << size << ' ' << width << ' ' << last;
                    ASSERT_NEAR(all[static_cast<std::size_t>(last + 2)], expected, error) << size << ' ' << width;
                }
            }
        }
}

TEST(WindowTableTest, SumsKeepTheirDigitsBesideGreaterValues) {
    std::vector<double> values(5000, 1e-280);
    values[2000] = 1e280;
    Workspace workspace;
    WindowTable<Sum> table(values.size(), 100, 0, workspace);
    table.take(0, values);
    EXPECT_NEAR(table.of(1900, 1999) / 1e-278, 1, 1e-14);
    EXPECT_NEAR(table.of(2001, 4000) / 2e-277, 1, 1e-13);
    EXPECT_EQ(table.of(1950, 2050), 1e280);
}

TEST(DistanceWindowsTest, CountsByDistanceAndLeavesWhatIsBeyond) {
    Workspace workspace;
    DistanceWindows windows(-5000, -3000, {}, 10, {.min = 7, .max = -7}, workspace);
    std::vector<double> values(4096);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = -5000 + static_cast<double>(i);
    windows.take(-5000, values);
    windows.take(-904, values);
    EXPECT_EQ(windows.sum(-3010, -3001), -30055);
    EXPECT_EQ(windows.max(-3010, -3001), -3001);
    EXPECT_EQ(windows.min(-3010, -3001), -3010);
    EXPECT_EQ(windows.max(-5005, -4996), -7) << "what lies before the first distance counts too";
    const ColumnWindows columns = windows.columns(20, -3005, 6, workspace, {});
    EXPECT_EQ(columns.max[5], -3000);
    EXPECT_EQ(columns.min[5], -3019);
}

}  // namespace
}  // namespace ropewalk::cpu
