// Elementwise functions against the C library's in extended precision, on every instruction set.
#include "core/series/vector_math.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tests/core/attention/cpu_instruction_sets.h"

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

TEST(VectorMathTest, ALineIsAddedByPlaceAndItsExtremesAreThoseOfTheValuesAlone) {
    cpu_test::on_every_instruction_set([&] {
        for (const double slope : {-10.0, 0.0, 0.5})
            for (std::size_t size = 0; size < 40; ++size) {
                std::vector<double> values(size), found(size);
                for (std::size_t i = 0; i < size; ++i) values[i] = std::sin(static_cast<double>(i));
                const Extremes extremes = add_line(values, {.factor = 3, .slope = slope, .first = -7}, found.data());
                double min = infinity, max = -infinity;
                for (std::size_t i = 0; i < size; ++i) {
                    ASSERT_NEAR(found[i], 3 * values[i] - slope * (static_cast<double>(i) - 7), 1e-13);
                    min = std::min(min, found[i]), max = std::max(max, found[i]);
                }
                EXPECT_EQ(extremes.min, min) << size;
                EXPECT_EQ(extremes.max, max) << size;
            }
    });
}

}  // namespace
}  // namespace ropewalk::cpu
