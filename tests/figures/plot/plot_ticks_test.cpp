#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "app/plot/axes.h"
#include "core/numbers/numbers.h"

namespace ropewalk {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Axis linear(double low, double high) {
    return {.low = low, .high = high};
}
Axis logarithmic(double low, double high) {
    return {.low = low, .high = high, .scale = AxisScale::logarithmic};
}

std::vector<std::string> labels(const Axis& axis, double length, double spacing) {
    std::vector<std::string> found;
    for (const Tick& tick : ticks(axis, length, spacing))
        if (!tick.label.empty()) found.push_back(tick.label);
    return found;
}

TEST(Ticks, AreAtRoundSteps) {
    EXPECT_THAT(labels(linear(0, 1), 200, 40), ElementsAre("0", "0.2", "0.4", "0.6", "0.8", "1.0"));
    EXPECT_THAT(labels(linear(-0.4, 1.05), 266, 30),
                ElementsAre("−0.4", "−0.2", "0", "0.2", "0.4", "0.6", "0.8", "1.0"));
    EXPECT_THAT(labels(linear(0, 256), 640, 48),
                ElementsAre("0", "20", "40", "60", "80", "100", "120", "140", "160", "180", "200", "220", "240"));
    EXPECT_THAT(labels(linear(-1, -0.2), 160, 40), ElementsAre("−1.0", "−0.8", "−0.6", "−0.4", "−0.2"));
    EXPECT_THAT(labels(linear(3.1, 3.9), 100, 40), ElementsAre("3.5"));
    EXPECT_THAT(labels(linear(0.1, 0.3), 100, 50), ElementsAre("0.1", "0.2", "0.3"));
}

TEST(Ticks, AreAsManyAsTheSpacingAllows) {
    EXPECT_EQ(ticks(linear(0, 10), 100, 10).size(), 11u);
    EXPECT_EQ(ticks(linear(0, 10), 100, 10.1).size(), 6u);
    EXPECT_EQ(ticks(linear(0, 10), 100, 20.1).size(), 3u);
}

TEST(Ticks, AbbreviateLargeRoundNumbers) {
    EXPECT_THAT(labels(linear(0, 1e6), 500, 60), ElementsAre("0", "200k", "400k", "600k", "800k", "1M"));
    EXPECT_THAT(labels(linear(0, 60'000), 300, 80), ElementsAre("0", "20k", "40k", "60k"));
    EXPECT_THAT(labels(linear(15'000, 16'000), 200, 40), ElementsAre("15k", "15.2k", "15.4k", "15.6k", "15.8k", "16k"));
    EXPECT_THAT(labels(linear(0, 2'048), 200, 40), ElementsAre("0", "500", "1000", "1500", "2000"));
    EXPECT_THAT(labels(linear(0, 16'384), 200, 60), ElementsAre("0", "5k", "10k", "15k"));
    EXPECT_THAT(labels(linear(10'000, 10'020), 200, 80), ElementsAre("10 000", "10 010", "10 020"));
    EXPECT_THAT(labels(linear(1'234'567, 1'234'568), 200, 150), ElementsAre("1 234 567", "1 234 568"));
}

TEST(Ticks, UsePowersOfTenBeyondShortNumbers) {
    EXPECT_THAT(labels(linear(-3e-4, 0), 120, 40), ElementsAre("−3×10⁻⁴", "−2×10⁻⁴", "−1×10⁻⁴", "0"));
    EXPECT_THAT(labels(linear(0, 1e-12), 200, 90), ElementsAre("0", "0.5×10⁻¹²", "1.0×10⁻¹²"));
    EXPECT_THAT(labels(linear(0, 1e300), 200, 90), ElementsAre("0", "0.5×10³⁰⁰", "1.0×10³⁰⁰"));
    EXPECT_THAT(labels(linear(5e9, 5.02e9), 200, 90), ElementsAre("5.00×10⁹", "5.01×10⁹", "5.02×10⁹"));
}

TEST(Ticks, KeepEveryDigitThatDistinguishesThem) {
    EXPECT_THAT(labels(linear(1, 1 + 1e-12), 300, 100),
                ElementsAre("1.0000000000000", "1.0000000000005", "1.0000000000010"));
    EXPECT_THAT(labels(linear(99.99, 100), 200, 90), ElementsAre("99.990", "99.995", "100.000"));
}

TEST(Ticks, AreWholeOnWholeAxes) {
    Axis axis = linear(0, 3);
    EXPECT_EQ(ticks(axis, 300, 30).size(), 7u);
    axis.whole = true;
    EXPECT_THAT(labels(axis, 300, 30), ElementsAre("0", "1", "2", "3"));
    Axis log = logarithmic(0.1, 10);
    log.whole = true;
    EXPECT_THAT(labels(log, 200, 60), ElementsAre("1", "10"));
}

TEST(Ticks, OfLogarithmicAxesAreAtPowers) {
    EXPECT_THAT(labels(logarithmic(1, 1e5), 313, 36), ElementsAre("1", "10", "100", "1k", "10k", "100k"));
    EXPECT_THAT(labels(logarithmic(1e-4, 1), 640, 60), ElementsAre("10⁻⁴", "10⁻³", "10⁻²", "10⁻¹", "1"));
    EXPECT_THAT(labels(logarithmic(1, 100), 1000, 40), ElementsAre("1", "2", "5", "10", "20", "50", "100"));
    EXPECT_THAT(labels(logarithmic(0.3, 3), 200, 40), ElementsAre("0.5", "1", "2"));
    EXPECT_THAT(labels(logarithmic(1e4, 1e5), 200, 40), ElementsAre("10k", "20k", "50k", "100k"));
    EXPECT_THAT(labels(logarithmic(0.01, 1000), 500, 40), ElementsAre("0.01", "0.1", "1", "10", "100", "1000"));
    EXPECT_THAT(labels(logarithmic(1, 1e10), 500, 80), ElementsAre("1", "10²", "10⁴", "10⁶", "10⁸", "10¹⁰"));
    EXPECT_THAT(labels(logarithmic(1e-300, 1e300), 300, 40),
                ElementsAre("10⁻³⁰⁰", "10⁻²⁰⁰", "10⁻¹⁰⁰", "1", "10¹⁰⁰", "10²⁰⁰", "10³⁰⁰"));
}

TEST(Ticks, OfLessThanADecadeAreEvenSteps) {
    EXPECT_THAT(labels(logarithmic(3, 4), 200, 40), ElementsAre("3.0", "3.5", "4.0"));
}

TEST(Ticks, OfLogarithmicAxesHaveMinorOnesWhereThereIsRoom) {
    const auto minor = [](double length) {
        const auto all = ticks(logarithmic(1, 1000), length, 36);
        return std::count_if(all.begin(), all.end(), [](const Tick& tick) { return tick.label.empty(); });
    };
    EXPECT_EQ(minor(300), 3 * 8);
    EXPECT_EQ(minor(120), 0);  // nine lines in forty pixels would look like a grey blur
    EXPECT_EQ(minor(60), 2);   // 10 and 1000, between 1 and 100
}

TEST(Ticks, AreNoneWithoutARange) {
    for (const Axis& axis :
         {linear(1, 1), linear(2, 1), linear(nan, 1), linear(0, infinity), logarithmic(0, 1), logarithmic(-2, -1)})
        EXPECT_THAT(ticks(axis, 100, 20), IsEmpty()) << axis.low << " … " << axis.high;
    EXPECT_THAT(ticks(linear(0, 1), 0, 20), IsEmpty());
}

TEST(Ticks, OnThreePixelsAreAtMostOne) {
    EXPECT_THAT(labels(linear(0, 1), 3, 36), ElementsAre("0"));
    EXPECT_THAT(labels(linear(0.3, 1), 3, 36), IsEmpty());
    EXPECT_THAT(labels(logarithmic(1, 1e5), 3, 36), ElementsAre("1"));
}

struct Case {
    double low, high;
    AxisScale scale;
};

TEST(Ticks, AreNeverCloserThanTheSpacingNorOutsideTheAxis) {
    constexpr double max = std::numeric_limits<double>::max();
    int checked = 0;
    for (const AxisScale scale : {AxisScale::linear, AxisScale::logarithmic})
        for (const auto& [low, high] : std::vector<std::pair<double, double>>{{0, 1},
                                                                              {1, 1e5},
                                                                              {-7, 3},
                                                                              {1e-300, 1e300},
                                                                              {1, 1.001},
                                                                              {1, 1 + 4e-16},
                                                                              {1e16, 1e16 + 8},
                                                                              {-1e16 - 8, -1e16},
                                                                              {-max, max},
                                                                              {5e-324, 1e-323},
                                                                              {0, 1e-310},
                                                                              {-1e-9, 1e9},
                                                                              {0.1, 0.2},
                                                                              {2.9, 31}})
            for (double length : {3.0, 20.0, 77.0, 300.0, 2000.0})
                for (double spacing : {8.0, 26.0, 48.0}) {
                    if (scale == AxisScale::logarithmic && low <= 0) continue;
                    const Axis axis{.low = low, .high = high, .scale = scale};
                    SCOPED_TRACE(testing::Message() << low << " … " << high << " on " << length << " by " << spacing);
                    double before = -infinity;
                    std::string label_before;
                    for (const Tick& tick : ticks(axis, length, spacing)) {
                        EXPECT_GE(tick.value, low);
                        EXPECT_LE(tick.value, high);
                        if (tick.label.empty()) continue;
                        const double at = axis.fraction(tick.value) * length;
                        EXPECT_GE(at - before, spacing * (1 - 1e-6)) << label_before << " and " << tick.label;
                        EXPECT_NE(tick.label, label_before);
                        before = at;
                        label_before = tick.label;
                        ++checked;
                    }
                }
    EXPECT_GT(checked, 500);
}

TEST(Axis, FractionAndValueAreInverse) {
    for (const Axis& axis : {linear(-3, 7), linear(-1e308, 1e308), logarithmic(1e-3, 1e5)}) {
        EXPECT_EQ(axis.fraction(axis.low), 0);
        EXPECT_EQ(axis.fraction(axis.high), 1);
        EXPECT_EQ(axis.value(0), axis.low);
        EXPECT_EQ(axis.value(1), axis.high);
        EXPECT_NEAR(axis.fraction(axis.value(0.3)), 0.3, 1e-12);
    }
    EXPECT_TRUE(std::isnan(logarithmic(1, 10).fraction(0)));
    EXPECT_EQ(linear(2, 2).fraction(2), 0.5);
}

TEST(Readable, GivesFourSignificantDigits) {
    EXPECT_EQ(readable(0.00433712), "0.004337");
    EXPECT_EQ(readable(85.5312), "85.53");
    EXPECT_EQ(readable(0.1 + 0.2), "0.3");
    EXPECT_EQ(readable(-0.5), "−0.5");
    EXPECT_EQ(readable(0), "0");
    EXPECT_EQ(readable(-0.0), "0");
    EXPECT_EQ(readable(9999.96), "10 000");
    EXPECT_EQ(readable(12345.6), "12 346");
    EXPECT_EQ(readable(999400.4), "999 400");
    EXPECT_EQ(readable(1234567.8), "1 234 568");
    EXPECT_EQ(readable(999999999.4), "999 999 999");
    EXPECT_EQ(readable(1234567890.4), "1.235×10⁹");
    EXPECT_EQ(readable(0.99996), "0.99996");
    EXPECT_EQ(readable(-0.9999987), "−0.999999");
    EXPECT_EQ(readable(0.9999999), "1");
    EXPECT_EQ(readable(1.0000001), "1");
    EXPECT_EQ(readable(1.5e-7), "1.5×10⁻⁷");
    EXPECT_EQ(readable(-1e300), "−10³⁰⁰");
    EXPECT_EQ(readable(131072), "131 072");
    EXPECT_EQ(readable(4096), "4096");
    EXPECT_EQ(readable(26826.474, 7), "26 826.47");
    EXPECT_EQ(readable(7812345.25, 7), "7 812 345");
    EXPECT_EQ(readable(0.5, 7), "0.5");
    EXPECT_EQ(readable(36123456.7, 7), "36 123 457");
    EXPECT_EQ(readable(infinity), "∞");
    EXPECT_EQ(readable(-infinity), "−∞");
    EXPECT_EQ(readable(std::nan("")), "NaN");
}

TEST(PowerOfTen, IsAsOnAnAxis) {
    EXPECT_EQ(power_of_ten(3), readable(1000));
    EXPECT_EQ(power_of_ten(4), "10k");
    EXPECT_EQ(power_of_ten(7), "10M");
    EXPECT_EQ(power_of_ten(9), readable(1e9));
}

TEST(Superscript, RaisesDigitsAndSign) {
    EXPECT_EQ(superscript(-1234567890), "⁻¹²³⁴⁵⁶⁷⁸⁹⁰");
}

}  // namespace
}  // namespace ropewalk
