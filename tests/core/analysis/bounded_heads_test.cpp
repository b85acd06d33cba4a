// Questions about heads with a window mask or a softcap, against sums written out here.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "core/analysis/heads/contributions.h"
#include "core/analysis/heads/decay.h"
#include "core/analysis/heads/dominance.h"
#include "core/analysis/heads/entries.h"
#include "core/analysis/heads/row_statistics.h"
#include "core/analysis/heads/shift.h"
#include "core/analysis/heads/top_pairs.h"
#include "core/attention/make_problem.h"
#include "core/evaluation/open_backend.h"
#include "core/experiment/scene_io.h"
#include "tests/core/analysis/ask.h"

namespace ropewalk {
namespace {

Problem problem_of(const std::string& settings) {
    return make_problem(changed({}, settings));
}

TEST(Bounded, ALogitIsCappedBeforeTheTemperature) {
    const Problem problem = problem_of("softcap=3 temperature=2 scale=value scale_value=0.5");
    EXPECT_DOUBLE_EQ(problem.logit(8, 5, 2), 3 * std::tanh(4.0 / 3) / 2);
    EXPECT_EQ(problem.seen_keys(5), (Interval{0, 6}));
    EXPECT_EQ(problem_of("mask=window window=4").seen_keys(5), (Interval{2, 6}));
    EXPECT_EQ(problem_of("mask=window window=4").seen_keys(1), (Interval{0, 2}));
    EXPECT_EQ(problem_of("mask=none seq_len=9").seen_keys(5), (Interval{0, 9}));
    EXPECT_TRUE(scores_only(problem).softcap == 0 && scores_only(problem_of("mask=window")).mask == Mask::none);
}

TEST(Bounded, TheWindowIsIgnoredUnderOtherMasks) {
    EXPECT_EQ(problem_of("window=4").window, 0);
    EXPECT_EQ(problem_of("mask=window window=4").window, 4);
}

TEST(Bounded, RowsAreConcentratedOnTheirWindow) {
    const Problem even = problem_of("seq_len=30 encoding=nope mask=window window=8");
    for (const RowStatistics& row : ask(RowStatisticsQuestion{.rows = 30}, even))
        EXPECT_NEAR(row.entropy, std::log(std::min(row.row + 1, 8)), 1e-12) << row.row;
    EXPECT_NEAR(ask(MinWeightQuestion{.distance = 3}, even), 1.0 / 8, 1e-12);
    EXPECT_EQ(ask(MinWeightQuestion{.distance = 8}, even), 0) << "beyond the window";
}

TEST(Bounded, TheStrongestKeysAreInTheWindow) {
    const Dominance found = ask(DominanceQuestion{.keys_per_query = 50},
                                problem_of("seq_len=60 construction=gaussian mask=window window=5"));
    ASSERT_EQ(found.by_distance.size(), 5u);
    for (const Dominance::Point& point : found.by_distance) EXPECT_EQ(point.count, 60 - point.distance);
}

TEST(Bounded, TopPairsAreCountedInTheWindow) {
    const Problem problem = problem_of("head_dim=16 seq_len=120 construction=gaussian mask=window window=15");
    std::vector<double> counts(8);
    double all = 0;
    for (int i = 0; i < 120; ++i)
        for (int j = std::max(0, i - 14); j <= i; ++j, ++all) {
            const auto parts = contributions(problem, i, j);
            ++counts[std::max_element(parts.begin(), parts.end()) - parts.begin()];
        }
    EXPECT_EQ(unmasked_cells(problem), all);
    for (const auto& [cells, tolerance] : {std::pair{1200, 0.03}, {1695, 1e-12}}) {  // of 1695
        const auto shares = ask(TopPairsQuestion{.cells = cells, .top = 1}, problem);
        for (std::size_t t = 0; t < 8; ++t) EXPECT_NEAR(shares[t], counts[t] / all, tolerance) << t;
    }
    EXPECT_EQ(ask(TopPairsQuestion{.cells = 400, .top = 1}, problem),
              ask(TopPairsQuestion{.cells = 400, .top = 1},
                  problem_of("head_dim=16 seq_len=120 construction=gaussian mask=window window=15 softcap=0.01")))
        << "contributions are parts of the score, which the softcap does not change";
}

TEST(Bounded, DecayShowsCappedLogits) {
    for (const char* construction : {"ones", "gaussian", "text"}) {
        const std::string head = fmt::format("seq_len=80 construction={} temperature=2 ", construction);
        const auto free = ask(DecayQuestion{}, problem_of(head)),
                   capped = ask(DecayQuestion{}, problem_of(head + "softcap=0.75"));
        ASSERT_EQ(capped.mean.size(), free.mean.size());
        if (free.samples > 1) {
            EXPECT_LT(*std::max_element(capped.mean.begin(), capped.mean.end()), 0.375);
            EXPECT_TRUE(capped.expected.empty());
            continue;
        }
        for (std::size_t r = 0; r < free.mean.size(); ++r)
            EXPECT_NEAR(capped.mean[r], 0.375 * std::tanh(free.mean[r] / 0.375), 1e-13) << construction << ", " << r;
    }
    const auto row = ask(DecayQuestion{}, problem_of("seq_len=80 construction=text mask=window window=20"));
    ASSERT_EQ(row.of, DecayOf::row);
    EXPECT_EQ(row.mean.size(), 20u);
    EXPECT_THAT(row.mean, testing::Each(testing::Truly([](double logit) { return std::isfinite(logit); })));
}

TEST(Bounded, ShiftsAreOfCappedLogits) {
    const Problem problem = problem_of("encoding=sinusoidal temperature=2 softcap=40");
    const auto shifts = ask(ShiftsQuestion{.max = 40}, problem, {.query = 40, .key = 33});
    ASSERT_EQ(shifts.residual.size(), 41u);
    EXPECT_GT(shifts.max_residual(), 0.01);
    for (std::size_t s = 0; s < 41; ++s)
        EXPECT_NEAR(shifts.residual[s], std::abs(shifts.logit[s] - shifts.logit[0]), 1e-13) << s;
}

TEST(Bounded, AnEntryIsTheSumOfItsPartsCapped) {
    for (const char* settings :
         {"construction=gaussian softcap=0.5 scale=sqrt_d", "construction=gaussian mask=window"}) {
        const Problem problem = problem_of(settings);
        for (const char* id : {"reference", "cpu"}) {
            const auto backend = open_backend(id);
            const AttentionView view = backend->attend(problem, Viewport::one_to_one({200, 201}, {190, 191}), {});
            const MatrixEntry entry =
                entry_of_parts(problem, 200, 190, contributions(problem, 200, 190), view.row_log_sum[0]);
            EXPECT_NEAR(entry.logit, view.logits.mean[0], 1e-4);
            EXPECT_NEAR(entry.weight, view.weights.mean[0], 1e-6);
        }
    }
}

}  // namespace
}  // namespace ropewalk
