// First looks at long heads through some of their keys: what they say of their own error, and what they leave exact.
#include <gtest/gtest.h>

#include "core/attention/make_problem.h"
#include "core/attention/reference.h"
#include "core/cpu/by_row/key_sample.h"
#include "core/numbers/numbers.h"
#include "tests/core/attention/cpu_agreement.h"
#include "tests/core/attention/cpu_problems.h"

namespace ropewalk {
namespace {

using namespace cpu_test;

/// 64 cells of 128 keys and more, one row each.
Viewport some_keys(int seq_len, int cells = 64) {
    const Interval all{0, seq_len};
    return {.rows = all,
            .columns = all,
            .cells_down = cells,
            .cells_across = cells,
            .row_sampling = RowSampling::one_per_cell,
            .content = {.logits = false},
            .key_sampling = KeySampling::some};
}

Viewport all_keys(Viewport viewport) {
    viewport.key_sampling = KeySampling::all;
    return viewport;
}

/// Rows whose estimate is off by no more than the view says, and all those that are estimated.
struct Count {
    int within = 0, estimated = 0;
};
Count count_within(const Problem& problem, const Viewport& viewport) {
    const auto backend = make_cpu_backend(2);
    const AttentionView estimate = backend->attend(problem, viewport, {}),
                        exact = backend->attend(problem, all_keys(viewport), {});
    EXPECT_EQ(exact.sum_error, 0);
    EXPECT_EQ(estimate.row_index, exact.row_index);
    Count count;
    for (std::size_t i = 0; i < exact.row_log_sum.size(); ++i) {
        const double off = std::abs(std::expm1(estimate.row_log_sum[i] - exact.row_log_sum[i]));
        if (problem.mask == Mask::causal && exact.row_index[i] < problem.seq_len / 16) {
            EXPECT_NEAR(off, 0, 1e-6) << "first rows are exact";
            continue;
        }
        ++count.estimated;
        count.within += off <= estimate.sum_error ? 1 : 0;
    }
    return count;
}

TEST(KeySample, MostRowsAreOffByNoMoreThanSaid) {
    for (const Mask mask : {Mask::causal, Mask::none})
        for (const double deviation : {0.2, 1.0, 1.6}) {
            Problem problem = make_problem(9001, 64);
            problem.mask = mask;
            problem.scale = deviation;
            const Count count = count_within(problem, some_keys(problem.seq_len));
            EXPECT_GE(count.within, 0.85 * count.estimated) << "logits of deviation " << deviation;
        }
}

TEST(KeySample, OfAPartTheKeysBesideItAreEstimated) {
    const auto backend = make_cpu_backend(2);
    for (const Interval columns : {Interval{0, 1024}, {3000, 4100}, {17, 20'000}, {9001, 29'980}, {28'900, 30'000}})
        for (const double deviation : {0.2, 1.0}) {
            Problem problem = make_problem(30'000, 32);
            problem.mask = Mask::none;
            problem.scale = deviation;
            Viewport part = some_keys(problem.seq_len);
            part.columns = columns;
            part.rows = {12'000, 13'000};
            const Count count = count_within(problem, part);
            EXPECT_GE(count.within, 0.85 * count.estimated) << columns.begin << " … " << columns.end;
            const AttentionView estimate = backend->attend(problem, part, {}),
                                exact = backend->attend(problem, all_keys(part), {});
            EXPECT_GT(estimate.sum_error, 0);
            double found = 0, expected = 0;
            for (std::size_t cell = 0; cell < exact.weights.mean.size(); ++cell)
                found += estimate.weights.mean[cell], expected += exact.weights.mean[cell];
            EXPECT_NEAR(found, expected, 0.05 * expected) << columns.begin << " … " << columns.end;
        }
}

TEST(KeySample, BiasMakesNeighbouringCellsDifferAndTheErrorLarger) {
    Problem problem = make_problem(9001, 16);
    problem.lowered.bias_slope = 1e-3;
    const Count count = count_within(problem, some_keys(problem.seq_len));
    EXPECT_GE(count.within, 0.85 * count.estimated);
}

TEST(KeySample, TheErrorSaidIsNeitherFarTooLargeNorTooSmall) {
    // Sums of exponentials of normal numbers of deviation 1 have a relative deviation of sqrt((e − 1) / keys).
    const Problem problem = make_problem(16384, 64);
    const AttentionView estimate = make_cpu_backend(2)->attend(problem, some_keys(problem.seq_len), {});
    double expected = 0;
    int rows = 0;
    for (const int row : estimate.row_index)
        if (row >= problem.seq_len / 8) expected += (std::exp(1.0) - 1) * 16 / row, ++rows;
    expected = 2 * std::sqrt(expected / rows);
    EXPECT_GT(estimate.sum_error, 0.7 * expected);
    EXPECT_LT(estimate.sum_error, 1.4 * expected);
}

TEST(KeySample, SumsAreRightOnAverage) {
    Problem problem = make_problem(9001, 8);
    problem.mask = Mask::none;
    const Viewport viewport = some_keys(problem.seq_len);
    const auto backend = make_cpu_backend(2);
    const AttentionView estimate = backend->attend(problem, viewport, {}),
                        exact = backend->attend(problem, all_keys(viewport), {});
    double ratio = 0, cells = 0;
    for (std::size_t i = 0; i < exact.row_log_sum.size(); ++i)
        ratio +=
            std::exp(estimate.row_log_sum[i] - exact.row_log_sum[i]) / static_cast<double>(exact.row_log_sum.size());
    EXPECT_NEAR(ratio, 1, 0.02);
    for (const double weight : estimate.weights.mean) cells += weight;
    EXPECT_NEAR(cells * problem.seq_len / viewport.cells_across, viewport.cells_down, 0.05 * viewport.cells_down)
        << "the weights of a row sum to about 1";
}

TEST(KeySample, EveryRowSeesAKey) {
    // One cell draws so few runs that rows far down see none of them.
    for (const int seq_len : {64, 65, 100, 300}) {
        const Problem problem = make_problem(seq_len, 8);
        Viewport viewport = some_keys(seq_len, 1);
        viewport.row_sampling = RowSampling::all;
        const AttentionView view = make_cpu_backend(2)->attend(problem, viewport, {});
        for (const double log_sum : view.row_log_sum) ASSERT_TRUE(std::isfinite(log_sum)) << seq_len;
        for (const double weight : view.weights.mean) ASSERT_TRUE(weight > 0 && weight <= 1) << seq_len;
    }
}

TEST(KeySample, LongerRowsDrawNoMoreKeys) {
    for (const int seq_len : {1 << 17, 1 << 18, 1 << 20}) {
        const Viewport viewport = some_keys(seq_len, 900);
        const cpu::CellGeometry cells(viewport);
        const cpu::KeySample sample = cpu::draw_keys(make_problem(seq_len, 2), cells);
        EXPECT_LE(sample.keys_before(seq_len), 8192) << seq_len;
        EXPECT_LE(sample.exact_rows, 8192) << seq_len;
        for (const Interval& cell : cells.columns)
            EXPECT_GT(sample.keys_before(cell.end), sample.keys_before(cell.begin)) << "a run of every cell";
    }
}

/// Recomputes every cell of logits from the drawn keys, by the reference.
TEST(KeySample, LogitsAreThoseOfTheKeysThatWereDrawn) {
    int hidden = 0, begun = 0;
    for (const Mask mask : {Mask::causal, Mask::none})
        for (const auto& [seq_len, columns] : {std::pair<int, Interval>{8209, {0, 8209}},
                                               {9001, {0, 9001}},
                                               {9001, {16, 9001}},
                                               {9001, {4001, 5000}},
                                               {9001, {3000, 8900}}}) {
            Problem problem = make_problem(seq_len, 16);
            problem.mask = mask;
            problem.lowered.bias_slope = mask == Mask::causal ? 1e-4 : 0;
            Viewport viewport = some_keys(seq_len, 61);
            viewport.columns = columns;
            viewport.content.logits = true;
            const AttentionView view = make_cpu_backend(2)->attend(problem, viewport, {});
            const cpu::CellGeometry cells(viewport);
            const cpu::KeySample sample = cpu::draw_keys(problem, cells);
            ASSERT_GT(sample.keys_before(seq_len), 0);
            // Panels of queries that have an exact row are exact.
            const auto estimated = std::lower_bound(view.row_index.begin(), view.row_index.end(), sample.exact_rows);
            const int width = cpu::panel_rows<float>(),
                      first_estimated =
                          (static_cast<int>(estimated - view.row_index.begin()) + width - 1) / width * width;
            ASSERT_LT(first_estimated, 61);
            for (int down = std::max(20, first_estimated); down < 61; down += 4) {
                const int row = view.row_index[static_cast<std::size_t>(down)];
                const AttentionView exact =
                    make_reference_backend()->attend(problem, Viewport::one_to_one({row, row + 1}, {0, seq_len}), {});
                int visible = 0;
                for (int across = 0; across < 61; ++across) {
                    const Interval cell = cells.columns[static_cast<std::size_t>(across)];
                    double sum = 0, min = infinity, max = -infinity;
                    int drawn = 0;
                    for (const int run : sample.runs)
                        for (int key = run; key < run + cpu::drawn_keys; ++key) {
                            if (!cell.contains(key) || key >= problem.seen_keys(row).end) continue;
                            const double logit = exact.logits.mean[static_cast<std::size_t>(key)];
                            sum += logit, ++drawn;
                            min = std::min(min, logit), max = std::max(max, logit);
                        }
                    const auto at = static_cast<std::size_t>(down * 61 + across);
                    begun += drawn > 0 && cell.end > problem.seen_keys(row).end;
                    visible += drawn > 0;
                    if (drawn == 0) min = sum = -infinity, drawn = 1;
                    const std::pair<double, double> found_and_expected[] = {
                        {view.logits.max[at], max}, {view.logits.min[at], min}, {view.logits.mean[at], sum / drawn}};
                    for (const auto& [found, expected] : found_and_expected)
                        EXPECT_TRUE(found == expected || std::abs(found - expected) < 1e-4)
                            << found << " for " << expected << " in row " << row << ", cell " << across;
                }
                EXPECT_EQ(view.visible_cells[static_cast<std::size_t>(down)].end, visible);
                hidden += cells.seen_cells(problem.seen_keys(row)).end > visible;
            }
        }
    EXPECT_GT(hidden, 0);
    EXPECT_GT(begun, 0);
}

TEST(KeySample, AllKeysAreLookedAtWhereSomeWouldNotDo) {
    const auto backend = make_cpu_backend(2);
    const auto expect_exact = [&](const Problem& problem, const Viewport& viewport) {
        const AttentionView view = backend->attend(problem, viewport, {});
        EXPECT_EQ(view.sum_error, 0);
        EXPECT_EQ(view.row_log_sum, backend->attend(problem, all_keys(viewport), {}).row_log_sum);
    };
    Problem problem = make_problem(5000, 8);
    Viewport with_logits = some_keys(5000), zoomed = some_keys(5000);
    with_logits.content.logits = true;
    with_logits.row_sampling = RowSampling::all;
    zoomed.columns = {10, 1000};
    expect_exact(problem, with_logits);
    expect_exact(problem, zoomed);  // 15 keys a cell
    zoomed.columns = {1, 4000};     // no run lies before it
    expect_exact(problem, zoomed);
    expect_exact(problem, some_keys(5000, 100));
    make_self_extend(problem, 12);
    expect_exact(problem, some_keys(5000));
    problem.lowered.far.reset();
    problem.lowered.damping.assign(4, 1e-3L);
    expect_exact(problem, some_keys(5000));
    make_constant(problem);
    problem.lowered.damping.clear();
    expect_exact(problem, some_keys(5000));
}

TEST(KeySample, IsBitIdenticalForAnyNumberOfThreadsAndAfterAnyOtherView) {
    for (const int seq_len : {8209, 9001, 9870, 11003}) {  // rows end before and after the keys drawn from their cell
        const Problem problem = make_problem(seq_len, 16);
        const Viewport viewport = some_keys(problem.seq_len);
        const auto used = make_cpu_backend(2);
        used->attend(problem, all_keys(viewport), {});
        const AttentionView one = used->attend(problem, viewport, {});
        for (const int threads : {1, 3, 8}) {
            const AttentionView other = make_cpu_backend(threads)->attend(problem, viewport, {});
            EXPECT_EQ(one.weights.mean, other.weights.mean);
            EXPECT_EQ(one.weights.max, other.weights.max);
            EXPECT_EQ(one.row_log_sum, other.row_log_sum);
            EXPECT_EQ(one.sum_error, other.sum_error);
        }
        EXPECT_EQ(used->attend(problem, all_keys(viewport), {}).row_log_sum,
                  make_cpu_backend(2)->attend(problem, all_keys(viewport), {}).row_log_sum);
    }
}

}  // namespace
}  // namespace ropewalk
