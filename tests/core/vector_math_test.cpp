// Elementwise functions against the C library's in extended precision, on every instruction set.
#include "core/cpu/vector_math.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tests/core/cpu_instruction_sets.h"

namespace ropewalk::cpu {
namespace {

TEST(VectorMathTest, ExponentialsAreWithinTwoUnitsInTheLastPlace) {
    std::vector<double> values{0, -infinity, -750, 800, 1e-300};
    for (double x = -744; x < 700; x += 0.0137) values.push_back(x + 0.25);
    cpu_test::on_every_instruction_set([&] {
        std::vector<double> found(values.size());
        exp_minus(values, 0.25, found.data());
        for (std::size_t i = 0; i < values.size(); ++i) {
            const long double exact = std::exp(std::min(static_cast<long double>(values[i] - 0.25), 700.0L));
            const double unit = std::nextafter(static_cast<double>(exact), infinity) - static_cast<double>(exact);
            ASSERT_NEAR(found[i], static_cast<double>(exact), 2 * unit) << "exp(" << values[i] - 0.25 << ")";
        }
    });
}

TEST(VectorMathTest, ALineIsAddedByPlace) {
    std::vector<double> values(1003);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = std::sin(static_cast<double>(i));
    cpu_test::on_every_instruction_set([&] {
        std::vector<double> found(values.size());
        const Extremes extremes = add_line(values, {.factor = 3, .slope = 0.5, .first = -400}, found.data());
        double least = infinity, greatest = -infinity;
        for (std::size_t i = 0; i < values.size(); ++i) {
            ASSERT_NEAR(found[i], 3 * values[i] - 0.5 * (static_cast<double>(i) - 400), 1e-13);
            least = std::min(least, found[i]), greatest = std::max(greatest, found[i]);
        }
        EXPECT_EQ(extremes.least, least);
        EXPECT_EQ(extremes.greatest, greatest);
    });
}

}  // namespace
}  // namespace ropewalk::cpu
