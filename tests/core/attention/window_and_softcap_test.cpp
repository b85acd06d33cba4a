// The window mask and the softcap in the fast backends, against brute force in long double.
#include <gtest/gtest.h>

#include <cmath>

#include "core/attention/make_problem.h"
#include "core/attention/reference.h"
#include "core/constructions/construction_list.h"
#include "core/encodings/encoding_list.h"
#include "tests/core/attention/cpu_agreement.h"
#include "tests/core/attention/cpu_instruction_sets.h"
#include "tests/core/attention/cpu_problems.h"

namespace ropewalk {
namespace {

using namespace cpu_test;

/// Calls visit(experiment) with a window, a softcap, and both.
template <class Visit>
void for_each_bound(Experiment experiment, int window, double softcap, Visit&& visit) {
    experiment.window = window;
    for (const bool has_window : {true, false})
        for (const double cap : {softcap, 0.0}) {
            if (!has_window && cap == 0) continue;
            experiment.mask = has_window ? Mask::window : Mask::causal;
            experiment.softcap = cap;
            SCOPED_TRACE(testing::Message() << (has_window ? "window " : "no window ") << window << ", cap " << cap);
            visit(experiment);
        }
}

class WindowAndSoftcap : public testing::TestWithParam<std::tuple<int, int, int>> {};

TEST_P(WindowAndSoftcap, AgreeWithTheDefinitionForEveryEncoding) {
    const auto& [seq_len, head_dim, ignored] = GetParam();
    const int window = std::get<2>(GetParam());  // Clang 14 captures no structured binding
    for (const Construction& construction : {Construction(Gaussian{}), Construction(SameVector{})})
        for_each_encoding({.head_dim = head_dim,
                           .seq_len = seq_len,
                           .pairing = Pairing::half_split,
                           .construction = construction,
                           .scale = Scale::value,
                           .scale_value = 0.3,
                           .temperature = 0.7,
                           .positions = {.start = 1000, .stride = 3}},
                          [&](const Experiment& plain) {
                              for_each_bound(plain, window, 1.5, [](const Experiment& experiment) {
                                  expect_agreement(make_problem(experiment));
                              });
                          });
}

INSTANTIATE_TEST_SUITE_P(Shapes, WindowAndSoftcap,
                         testing::Values(std::tuple{1, 2, 1}, std::tuple{2, 6, 1}, std::tuple{7, 4, 3},
                                         std::tuple{65, 64, 17}, std::tuple{257, 8, 16}, std::tuple{257, 6, 100},
                                         std::tuple{130, 8, 1000}));

// Rows are many panels apart, keys are in many blocks, and cells begin and end inside the windows.
TEST(WindowAndSoftcap, AgreeWithTheDefinitionInManyBlocks) {
    for (const int window : {1, 16, 17, 500, 899, 900})
        for_each_bound({.head_dim = 4, .seq_len = 900, .construction = Gaussian{}}, window, 0.8,
                       [](const Experiment& experiment) { expect_agreement(make_problem(experiment)); });
}

TEST(WindowAndSoftcap, AgreeOnEveryInstructionSet) {
    on_every_instruction_set([] {
        for (const Encoding& encoding : {Encoding(Rope{}), Encoding(Alibi{})})
            for (const Construction& construction : {Construction(Gaussian{}), Construction(Ones{})})
                for_each_bound({.head_dim = 10, .seq_len = 165, .encoding = encoding, .construction = construction}, 21,
                               0.5, [](const Experiment& experiment) { expect_agreement(make_problem(experiment)); });
    });
}

// From caps that no logit feels to caps that make all equal; and products beyond the range of float.
TEST(WindowAndSoftcap, HoldForCapsOfEverySize) {
    for (const double softcap : {1e-300, 1e-9, 1e-3, 30.0, 1e6})
        for (const double scale : {1e-6, 1.0, 1e6})
            for (const Construction& construction : {Construction(Gaussian{}), Construction(Ones{})}) {
                SCOPED_TRACE(testing::Message() << softcap << ", scale " << scale);
                ASSERT_NO_FATAL_FAILURE(expect_agreement(make_problem({.head_dim = 8,
                                                                       .seq_len = 70,
                                                                       .construction = construction,
                                                                       .mask = Mask::window,
                                                                       .window = 20,
                                                                       .scale = Scale::value,
                                                                       .scale_value = scale,
                                                                       .softcap = softcap})));
            }
    Problem problem = cpu_test::make_problem(60, 8);
    problem.softcap = 20;
    problem.scale = 1e39;
    const AttentionView view = make_cpu_backend(2)->attend(problem, whole(problem), {});
    for (int row = 1; row < 60; ++row) EXPECT_DOUBLE_EQ(std::abs(view.logits.mean[row * 60]), 20);
}

TEST(WindowAndSoftcap, AreBitIdenticalForAnyNumberOfThreadsAndPanels) {
    for (const Construction& construction : {Construction(Gaussian{}), Construction(SameVector{})}) {
        for_each_bound({.head_dim = 16, .seq_len = 999, .construction = construction}, 75, 2,
                       [](const Experiment& experiment) {
                           const Problem problem = make_problem(experiment);
                           const Viewport viewport{{11, 999}, {3, 990}, 97, 101, RowSampling::all};
                           const AttentionView one = make_cpu_backend(1)->attend(problem, viewport, {}),
                                               other = make_cpu_backend(3)->attend(problem, viewport, {});
                           EXPECT_EQ(one.logits.mean, other.logits.mean);
                           EXPECT_EQ(one.weights.mean, other.weights.mean);
                           EXPECT_EQ(one.row_log_sum, other.row_log_sum);

                           // Sums by distance depend on the rows that are asked for.
                           if (problem.depends_on_distance_only() && problem.mask != Mask::window) return;
                           const AttentionView all = make_cpu_backend(2)->attend(problem, whole(problem), {});
                           const Viewport part = Viewport::one_to_one({333, 401}, {250, 400});
                           const AttentionView alone = make_cpu_backend(2)->attend(problem, part, {});
                           for (int row = 333; row < 401; ++row) {
                               EXPECT_EQ(alone.row_log_sum[row - 333], all.row_log_sum[row]);
                               for (int key = 250; key < 400; ++key)
                                   ASSERT_EQ(alone.weights.mean[(row - 333) * 150 + (key - 250)],
                                             all.weights.mean[row * 999 + key]);
                           }
                       });
    }
}

// A later call with another softcap or window must not see cached scores or sums of the earlier one.
TEST(WindowAndSoftcap, AreNotTakenFromAnEarlierHead) {
    const auto backend = make_cpu_backend(2);
    for (const Construction& construction : {Construction(Gaussian{}), Construction(SameVector{})})
        for (int again = 0; again < 3; ++again)
            for (const int window : {30, 31, 200})
                for_each_bound({.head_dim = 8, .seq_len = 200, .construction = construction}, window, window / 10.0,
                               [&](const Experiment& experiment) {
                                   const Problem problem = make_problem(experiment);
                                   expect_agreement(problem, *backend, std::span<const Viewport>());
                               });
}

TEST(WindowAndSoftcap, FillTheWholeMatrix) {
    for_each_bound({.head_dim = 8, .seq_len = 150, .construction = Gaussian{}}, 40, 1,
                   [](const Experiment& experiment) {
                       const Problem problem = make_problem(experiment);
                       const BruteForce truth = brute_force(problem);
                       const auto backend = make_cpu_backend(2);
                       for (const MatrixEntries entries : {MatrixEntries::logits, MatrixEntries::weights}) {
                           WholeMatrix matrix;
                           backend->fill(matrix, problem, entries, {});
                           for (int row = 0; row < 150; ++row)
                               for (int key = 0; key < 150; ++key) {
                                   const std::size_t at = truth.at(row, key);
                                   const auto found = static_cast<double>(std::as_const(matrix).row(row)[key]);
                                   ASSERT_TRUE(entries == MatrixEntries::logits
                                                   ? is_logit(found, truth.logits[at], truth.magnitude[at])
                                                   : is_weight(found, truth.weights[at], truth.row_magnitude[row]))
                                       << row << ", " << key;
                               }
                       }
                   });
}

// Of a million keys a row meets only its window, and every 1165th row alone is a cell.
TEST(WindowAndSoftcap, AMillionTokensCostTheWindow) {
    const int n = 1 << 20, window = 300;
    for (const Construction& construction : {Construction(Gaussian{}), Construction(SameVector{})}) {
        const Experiment experiment{.head_dim = 8,
                                    .seq_len = n,
                                    .construction = construction,
                                    .mask = Mask::window,
                                    .window = window,
                                    .scale = Scale::sqrt_d};
        const Problem problem = make_problem(experiment);
        const auto backend = make_cpu_backend(2);
        const Viewport all{{0, n}, {0, n}, 900, 900, RowSampling::all};
        Problem unbounded = problem;
        unbounded.mask = Mask::causal;
        if (!problem.depends_on_distance_only()) {
            EXPECT_LT(backend->cost(problem, all), backend->cost(unbounded, all) / 2000);
        }
        const AttentionView pooled = backend->attend(problem, all, {});
        double sum = 0;
        for (int across = 0; across < 900; ++across)
            sum += pooled.weights.mean[450 * 900 + across] * all.cell_columns(across).size();
        EXPECT_NEAR(sum, 1, 1e-6);
        EXPECT_EQ(pooled.visible_cells[450], (Interval{449, 451}));
        EXPECT_EQ(pooled.logits.mean[450 * 900 + 440], -infinity);
        Viewport sampled = all;  // rows with keys between them that none of them sees
        sampled.row_sampling = RowSampling::one_per_cell;
        const AttentionView apart = backend->attend(problem, sampled, {});
        for (int down = 0; down < 900; ++down) {
            double row_sum = 0;
            for (int across = 0; across < 900; ++across)
                row_sum += apart.weights.mean[down * 900 + across] * all.cell_columns(across).size();
            ASSERT_NEAR(row_sum, 1, 1e-6) << down;
        }
        const int row = 777'777;
        const Viewport near = Viewport::one_to_one({row, row + 1}, {row - window - 1, row + 2});
        const AttentionView found = backend->attend(problem, near, {}),
                            expected = make_reference_backend()->attend(problem, near, {});
        for (std::size_t i = 0; i < found.weights.mean.size(); ++i)
            EXPECT_NEAR(found.weights.mean[i], expected.weights.mean[i], 1e-6);
        EXPECT_NEAR(found.row_log_sum[0], expected.row_log_sum[0], 1e-5);
    }
}

TEST(WindowAndSoftcap, AWindowIsNotEstimatedFromSomeKeys) {
    Problem problem = cpu_test::make_problem(8192, 4);
    const Viewport viewport{.rows = {0, 8192},
                            .columns = {0, 8192},
                            .cells_down = 16,
                            .cells_across = 16,
                            .row_sampling = RowSampling::one_per_cell,
                            .key_sampling = KeySampling::some};
    EXPECT_TRUE(can_draw_keys(problem, viewport));
    problem.softcap = 5;
    EXPECT_TRUE(can_draw_keys(problem, viewport));
    problem.mask = Mask::window;
    problem.window = 100;
    EXPECT_FALSE(can_draw_keys(problem, viewport));
}

}  // namespace
}  // namespace ropewalk
