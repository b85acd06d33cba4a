// Both tokens moved on, against scores written out here.
#include "core/analysis/heads/shift.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/attention/make_problem.h"
#include "core/evaluation/open_backend.h"
#include "core/experiment/scene_io.h"

namespace ropewalk {
namespace {

TEST(Shift, IsNothingForWhatKnowsDistancesOnlyAndElseTheDifference) {
    const auto shift = [](const char* settings, const ShiftQuestion& question) {
        const Experiment experiment = changed({}, settings);
        const Problem problem = make_problem(experiment);
        const auto backend = open_backend("reference");
        return question.answer({experiment, problem, {}, *backend, Cancel{}});
    };
    EXPECT_EQ(shift("construction=gaussian", {.query = 200, .key = 100, .positions = 12345}), 0.0);
    EXPECT_EQ(shift("encoding=xpos construction=ones", {.query = 200, .key = 100, .positions = 1000}), 0.0);

    // (q + p_m)·(k + p_n) with q = k = 1/√d: what shifting changes is (q·p_m + k·p_n) with every wave moved on.
    const auto added = [](int m, int n) {
        double sum = 0;
        for (int t = 0; t < 32; ++t) {
            const double w = std::pow(10'000.0, -2.0 * t / 64);
            sum += (std::sin(m * w) + std::cos(m * w) + std::sin(n * w) + std::cos(n * w)) / 8 + std::cos((m - n) * w);
        }
        return sum;
    };
    EXPECT_NEAR(shift("encoding=sinusoidal", {.query = 200, .key = 100, .positions = 50}).value(),
                std::abs(added(250, 150) - added(200, 100)), 1e-9);

    // Groups of 4 beyond 64: ⌊203/4⌋ − ⌊136/4⌋ against ⌊200/4⌋ − ⌊133/4⌋.
    const auto grouped = [](int distance) {
        double sum = 0;
        for (int t = 0; t < 32; ++t) sum += std::cos(distance * std::pow(10'000.0, -2.0 * t / 64)) / 32;
        return sum;
    };
    EXPECT_NEAR(shift("encoding=self_extend", {.query = 200, .key = 133, .positions = 3}).value(),
                std::abs(grouped(50 - 34 + 64 - 16) - grouped(50 - 33 + 64 - 16)), 1e-9);
    EXPECT_EQ(shift("encoding=random_rope", {.query = 200, .key = 100, .positions = 5}), std::nullopt);
}

Shifts shifts_of(const char* settings, Cursor cell, const ShiftsQuestion& question) {
    const Experiment experiment = changed({}, settings);
    const Problem problem = make_problem(experiment);
    const auto backend = open_backend("reference");
    return question.answer({experiment, problem, cell, *backend, Cancel{}});
}

TEST(Shift, TheWholeCurveIsTheLogitAtEveryShift) {
    // (q + p_(m+s))·(k + p_(n+s)) / (√d · T), with q = k = 1/√d.
    const char* settings = "encoding=sinusoidal scale=sqrt_d temperature=2";
    const Shifts shifts = shifts_of(settings, {.query = 40, .key = 33}, {.max = 60, .marked = 7});
    ASSERT_EQ(shifts.positions.size(), 61u);
    for (int s = 0; s <= 60; ++s) {
        double logit = 0;
        for (int t = 0; t < 32; ++t) {
            const double w = std::pow(10'000.0, -2.0 * t / 64), m = 40 + s, n = 33 + s, content = 1 / 8.0;
            logit += (content + std::sin(m * w)) * (content + std::sin(n * w)) +
                     (content + std::cos(m * w)) * (content + std::cos(n * w));
        }
        logit /= 8 * 2;
        EXPECT_EQ(shifts.positions[s], s);
        EXPECT_NEAR(shifts.logit[s], logit, 1e-12);
        EXPECT_NEAR(shifts.residual[s], std::abs(shifts.logit[s] - shifts.logit[0]), 1e-12);
    }
    EXPECT_EQ(shifts.max_residual(), *std::max_element(shifts.residual.begin(), shifts.residual.end()));
}

TEST(Shift, OfWhatKnowsDistancesOnlyTheCurveIsFlat) {
    for (const char* settings : {"construction=gaussian", "encoding=alibi", "encoding=xpos construction=text"}) {
        const Shifts shifts = shifts_of(settings, {.query = 200, .key = 150}, {.max = 1'000'000, .marked = 77});
        EXPECT_EQ(shifts.max_residual(), 0) << settings;
        EXPECT_LE(shifts.positions.size(), ShiftsQuestion::most + 2u);
        EXPECT_GT(shifts.positions.size(), ShiftsQuestion::most / 2u);
        EXPECT_EQ(shifts.positions.back(), 1'000'000);
        EXPECT_TRUE(std::is_sorted(shifts.positions.begin(), shifts.positions.end()));
        EXPECT_EQ(std::count(shifts.positions.begin(), shifts.positions.end(), 77), 1);
    }
    const auto alibi = shifts_of("encoding=alibi encoding.head=2 encoding.heads=8 construction=ones",
                                 {.query = 9, .key = 4}, {.max = 3});
    EXPECT_EQ(alibi.logit.size(), 4u);
}

TEST(Shift, GroupsOfAPowerOfTwoAreNotMissed) {
    // Groups of 4: a shift by a multiple of 4 changes nothing, others do.
    for (const int max : {2048, 1 << 20})
        EXPECT_GT(
            shifts_of("encoding=self_extend", {.query = 200, .key = 133}, {.max = max, .marked = 100}).max_residual(),
            1e-3);
}

TEST(Shift, DrawnPositionsCannotBeMoved) {
    const Shifts shifts = shifts_of("encoding=random_rope", {.query = 9, .key = 4}, {.max = 3});
    EXPECT_NE(shifts.complaint, "");
    EXPECT_EQ(shifts.max_residual(), 0);
}

}  // namespace
}  // namespace ropewalk
