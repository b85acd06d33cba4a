// Constant heads in two regimes, from windows, against the reference.
#include "core/cpu/by_distance/two_regimes.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/attention/make_problem.h"
#include "core/attention/reference.h"
#include "core/cpu/cpu_backend.h"
#include "tests/core/attention/cpu_problems.h"

namespace ropewalk {
namespace {

using namespace cpu_test;

Problem grouped(int seq_len, int head_dim, int window, int group, int start = 0) {
    Problem problem = make_problem(seq_len, head_dim);
    make_constant(problem);
    problem.mask = Mask::causal;
    problem.positions.start = start;
    problem.lowered.far = {
        .window = window,
        .maps = {.query = {.group = group, .offset = static_cast<long double>(window - window / group)},
                 .key = {.group = group, .offset = 0}}};
    return problem;
}

void expect_alike(const Numbers& a, const Numbers& b) {
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i)
        ASSERT_TRUE(a[i] == b[i] || std::abs(a[i] - b[i]) < 1e-11) << i << ": " << a[i] << ' ' << b[i];
}

TEST(TwoRegimes, AgreeWithTheReferenceInDouble) {
    const auto reference = make_reference_backend();
    Workspace workspace;
    for (const auto& [window, group] : {std::pair{0, 2}, {1, 3}, {16, 4}, {150, 8}, {2000, 2}, {400, 300}})
        for (const int start : {0, 7})
            for (const int cells : {7, 90, 601})
                for (const RowSampling sampling : {RowSampling::one_per_cell, RowSampling::all}) {
                    if (sampling == RowSampling::all && cells == 601) continue;
                    const Problem problem = grouped(601, 16, window, group, start);
                    ASSERT_TRUE(cpu::has_grouped_far_keys(problem));
                    const Viewport viewport{.rows = {401 - 200 * (cells % 2), 601},
                                            .columns = {0, cells == 601 ? 601 : 590},
                                            .cells_down = 7,
                                            .cells_across = cells,
                                            .row_sampling = sampling};
                    SCOPED_TRACE(testing::Message()
                                 << "window " << window << ", group " << group << ", cells " << cells);
                    const AttentionView expected = reference->attend(problem, viewport, {}),
                                        found = cpu::attend_by_group(problem, viewport, workspace, {});
                    expect_alike(found.row_max_logit, expected.row_max_logit);
                    expect_alike(found.row_log_sum, expected.row_log_sum);
                    for (const auto grid : {&AttentionView::logits, &AttentionView::weights})
                        for (const auto values : {&PooledGrid::mean, &PooledGrid::min, &PooledGrid::max})
                            expect_alike(found.*grid.*values, expected.*grid.*values);
                }
}

TEST(TwoRegimes, AreChosenWhereTheyAreFasterAndGiveTheSameBits) {
    const Problem problem = grouped(1 << 17, 64, 512, 8);
    Viewport viewport{.rows = {0, 1 << 17},
                      .columns = {0, 1 << 17},
                      .cells_down = 40,
                      .cells_across = 300,
                      .row_sampling = RowSampling::one_per_cell};
    Workspace workspace;
    const AttentionView direct = cpu::attend_by_group(problem, viewport, workspace, {});
    for (const int threads : {1, 3}) {
        const auto backend = make_cpu_backend(threads);
        const AttentionView view = backend->attend(problem, viewport, {});
        EXPECT_EQ(view.weights.mean, direct.weights.mean);
        EXPECT_EQ(view.logits.max, direct.logits.max);
        EXPECT_EQ(view.row_log_sum, direct.row_log_sum);
        EXPECT_LT(backend->cost(problem, viewport), 1e9) << "a frame";
    }
    viewport.content = {.logits = false, .min = false, .max = false};
    EXPECT_EQ(make_cpu_backend(2)->attend(problem, viewport, {}).weights.mean, direct.weights.mean);
}

TEST(TwoRegimes, LogitsThatSpreadTooFarAreForTheGeneralKernel) {
    Problem problem = grouped(301, 8, 16, 4);
    const Viewport viewport{.rows = {0, 301}, .columns = {0, 301}, .cells_down = 3, .cells_across = 2};
    const auto cost = [&] { return make_cpu_backend(1)->cost(problem, viewport); };
    const double near = cost();
    problem.temperature = 1e-3;
    EXPECT_FALSE(cpu::has_grouped_far_keys(problem));
    EXPECT_FALSE(cpu::is_by_group(problem, viewport));
    EXPECT_GE(cost(), near) << "the products are counted";
    EXPECT_EQ(cost(), 301.0 * 301 * 8);
    const AttentionView expected = make_reference_backend()->attend(problem, viewport, {}),
                        found = make_cpu_backend(1)->attend(problem, viewport, {});
    for (std::size_t i = 0; i < expected.weights.mean.size(); ++i)
        EXPECT_NEAR(found.weights.mean[i], expected.weights.mean[i], 1e-3);
}

}  // namespace
}  // namespace ropewalk
