// Arrows of query and key against contributions, and against rotations written out here.
#include "core/analysis/heads/arrows.h"

#include <gtest/gtest.h>

#include <numbers>

#include "core/analysis/heads/contributions.h"
#include "core/attention/make_problem.h"
#include "core/constructions/construction_list.h"
#include "core/encodings/encoding_list.h"
#include "core/experiment/experiment.h"

namespace ropewalk {
namespace {

TEST(Arrows, MultiplyToTheContributionsOfEveryEncoding) {
    for (const Encoding& encoding : alternatives_of<Encoding>()) {
        const Problem problem = make_problem({.head_dim = 16,
                                              .seq_len = 2000,
                                              .encoding = encoding,
                                              .construction = Gaussian{},
                                              .positions = {.start = 5, .stride = 3}});
        for (const auto& [i, j] : {std::pair{1999, 0}, std::pair{1999, 1998}, std::pair{7, 7}, std::pair{3, 900}}) {
            const auto arrows = turning_arrows(problem, i, j);
            const auto parts = contributions(problem, i, j);
            const auto q = problem.query(i), k = problem.key(j);
            ASSERT_EQ(arrows.size(), parts.size());
            for (std::size_t t = 0; t < parts.size(); ++t) {
                EXPECT_NEAR(arrows[t].after.product(), parts[t], 1e-12 * (1 + std::abs(parts[t]))) << id_of(encoding);
                EXPECT_EQ(arrows[t].before.q, std::complex(q[2 * t], q[2 * t + 1]));
                EXPECT_EQ(arrows[t].before.k, std::complex(k[2 * t], k[2 * t + 1]));
            }
        }
    }
}

TEST(Arrows, TurnByPositionTimesFrequencyAndKeepTheirLengths) {
    const Experiment experiment{
        .head_dim = 8, .seq_len = 500, .encoding = PRope{.p = 0.75}, .construction = Gaussian{}};
    const auto arrows = turning_arrows(make_problem(experiment), 321, 20);
    for (int t = 0; t < 4; ++t) {
        const auto& [before, after] = arrows[static_cast<std::size_t>(t)];
        const double w = t < 3 ? std::pow(10'000.0, -t / 4.0) : 0;  // three of four pairs rotate
        EXPECT_LT(std::abs(after.q - before.q * std::polar(1.0, 321 * w)), 1e-12) << t;
        EXPECT_LT(std::abs(after.k - before.k * std::polar(1.0, 20 * w)), 1e-12) << t;
        EXPECT_NEAR(std::remainder(after.angle() - before.angle() - 301 * w, 2 * std::numbers::pi), 0, 1e-12) << t;
    }
}

TEST(Arrows, KeepTheirAngleWhenBothTokensMove) {
    const Problem problem = make_problem({.head_dim = 32, .seq_len = 5000, .construction = SameVector{}});
    const auto here = turning_arrows(problem, 40, 33), there = turning_arrows(problem, 4999, 4992);
    for (std::size_t t = 0; t < here.size(); ++t) {
        EXPECT_NEAR(std::remainder(here[t].after.angle() - there[t].after.angle(), 2 * std::numbers::pi), 0, 1e-12);
        if (t >= 10) continue;
        EXPECT_GT(std::abs(here[t].after.q - there[t].after.q), 1e-3) << "but they turned";
    }
}

TEST(Arrows, HaveNoAngleIfOneIsZero) {
    EXPECT_TRUE(std::isnan((Arrows{0, {1, 2}}).angle()));
    EXPECT_EQ((Arrows{0, {1, 2}}).product(), 0);
}

}  // namespace
}  // namespace ropewalk
