#include "core/series/sum_by_distance.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <numbers>
#include <random>

#include "tests/core/attention/cpu_instruction_sets.h"

namespace ropewalk {
namespace {

using namespace cpu_test;

struct Terms {
    std::vector<long double> inv_freq;
    std::vector<DistanceTerm> terms;
    double amplitude = 0;  // Σ √(cosine² + sine²)
};

Terms make_terms(int pairs, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> uniform(-1, 1);
    Terms made;
    for (int pair = 0; pair < pairs; ++pair) {
        made.inv_freq.push_back(std::pow(10000.0L, -static_cast<long double>(pair) / pairs));
        made.terms.push_back(
            {.cosine = uniform(random), .sine = uniform(random), .per_step = phase_of(made.inv_freq.back())});
        made.amplitude += std::hypot(made.terms.back().cosine, made.terms.back().sine);
    }
    return made;
}

long double exact(const Terms& made, std::int64_t distance) {
    long double sum = 0;
    for (std::size_t t = 0; t < made.terms.size(); ++t) {
        const long double angle = made.inv_freq[t] * static_cast<long double>(distance);
        sum += made.terms[t].cosine * std::cos(angle) + made.terms[t].sine * std::sin(angle);
    }
    return sum;
}

/// The greatest error over `distances`, in units of Σ|amplitude|.
double max_error(const Terms& made, std::int64_t first, std::span<const double> sums, int step) {
    double worst = 0;
    for (std::size_t i = 0; i < sums.size(); i += static_cast<std::size_t>(step))
        worst =
            std::max(worst, static_cast<double>(std::abs(exact(made, first + static_cast<std::int64_t>(i)) - sums[i])));
    return worst / made.amplitude;
}

constexpr double promised = 5e-13;

TEST(SumByDistance, IsExactAtEveryLengthAndNumberOfPairs) {
    for (const int pairs : {1, 2, 3, 4, 5, 32, 128}) {
        const Terms made = make_terms(pairs, static_cast<unsigned>(pairs));
        for (const int count : {1, 2, 3, 7, 8, 9, 63, 65, 257, 1000}) {
            for (const std::int64_t first : {std::int64_t{0}, std::int64_t{-1}, std::int64_t{-500},
                                             std::int64_t{1} << 20, -(std::int64_t{1} << 20)}) {
                const auto sums = sum_by_distance(made.terms, first, count, {});
                ASSERT_EQ(sums.size(), static_cast<std::size_t>(count));
                ASSERT_LE(max_error(made, first, sums, count > 100 ? 13 : 1), promised)
                    << pairs << " pairs, " << count << " from " << first;
            }
        }
    }
}

TEST(SumByDistance, IsExactUpToAMillionTokens) {
    const Terms made = make_terms(128, 7);
    constexpr int count = 1 << 20;
    EXPECT_LE(max_error(made, 0, sum_by_distance(made.terms, 0, count, {}), 1009), promised);
    EXPECT_LE(max_error(made, 1 - count, sum_by_distance(made.terms, 1 - count, count, {}), 1013), promised);
}

TEST(SumByDistance, IsExactWhereWavesTurnBackwards) {
    // A step of a little less than a turn is a small one back: slow, so that it is expanded.
    Terms made = make_terms(96, 5);
    for (std::size_t t = 0; t < made.terms.size(); ++t) {
        const long double back = 1e-3L * static_cast<long double>(t % 8) + 1e-5L * static_cast<long double>(t);
        made.inv_freq[t] = 2 * std::numbers::pi_v<long double> * (t % 3 == 0 ? 2 : 1) - back;
        made.terms[t].per_step = phase_of(made.inv_freq[t]);
    }
    for (const int count : {1000, 1 << 17, 1 << 19})
        EXPECT_LE(max_error(made, 0, sum_by_distance(made.terms, 0, count, {}), 331), promised) << count;
}

TEST(SumByDistance, StartsWithTheSumOfCosines) {
    const Terms made = make_terms(16, 3);
    double cosines = 0;
    for (const DistanceTerm& term : made.terms) cosines += term.cosine;
    EXPECT_NEAR(sum_by_distance(made.terms, 0, 5, {})[0], cosines, promised * made.amplitude);
}

TEST(SumByDistance, OfNothingIsZero) {
    EXPECT_EQ(sum_by_distance({}, -3, 6, {}), Numbers(6, 0.0));
    EXPECT_TRUE(sum_by_distance(make_terms(4, 1).terms, 0, 0, {}).empty());
    const std::vector<DistanceTerm> silent(5, {.cosine = 0, .sine = 0, .per_step = 12345});
    EXPECT_EQ(sum_by_distance(silent, 0, 9, {}), Numbers(9, 0.0));
}

TEST(SumByDistance, OfFrozenPairsIsConstant) {
    const std::vector<DistanceTerm> frozen{{.cosine = 1.5, .sine = 4, .per_step = 0},
                                           {.cosine = -0.25, .sine = 1, .per_step = 0}};
    for (const double sum : sum_by_distance(frozen, -100, 201, {})) ASSERT_EQ(sum, 1.25);
}

TEST(SumByDistance, IsExactOnEveryInstructionSet) {
    const Terms made = make_terms(33, 11);
    on_every_instruction_set(
        [&] { EXPECT_LE(max_error(made, -700, sum_by_distance(made.terms, -700, 3001, {}), 1), promised); });
}

TEST(SumByDistance, StopsWhenItIsNoLongerWanted) {
    const std::atomic<std::uint64_t> generation{2};
    EXPECT_THROW(sum_by_distance(make_terms(64, 1).terms, 0, 1 << 20, Cancel(generation, 1)), Cancelled);
    EXPECT_NO_THROW(sum_by_distance(make_terms(2, 1).terms, 0, 100, Cancel(generation, 2)));
}

}  // namespace
}  // namespace ropewalk
