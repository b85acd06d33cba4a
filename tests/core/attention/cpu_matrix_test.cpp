#include <gtest/gtest.h>

#include <atomic>

#include "core/attention/make_problem.h"
#include "core/attention/reference.h"
#include "core/attention/whole_matrix.h"
#include "tests/core/attention/cpu_agreement.h"
#include "tests/core/attention/cpu_instruction_sets.h"
#include "tests/core/attention/cpu_problems.h"

namespace ropewalk {
namespace {

using namespace cpu_test;

constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

/// Compares every entry, and the sums of weights, with brute force.
void expect_matrix(const BruteForce& truth, const WholeMatrix& matrix, MatrixEntries entries) {
    ASSERT_EQ(matrix.seq_len(), truth.seq_len);
    for (int i = 0; i < truth.seq_len; ++i) {
        const std::span<const float> row = matrix.row(i);
        double sum = 0;
        for (int j = 0; j < truth.seq_len; ++j) {
            const auto found = static_cast<double>(row[j]);
            const std::size_t at = truth.at(i, j);
            const bool agrees = entries == MatrixEntries::logits
                                    ? is_logit(found, truth.logits[at], truth.row_magnitude[i])
                                    : is_weight(found, truth.weights[at], truth.row_magnitude[i]);
            ASSERT_TRUE(agrees) << i << ", " << j << ": " << found;
            ASSERT_TRUE(!truth.masked(i, j) || found == (entries == MatrixEntries::logits ? -infinity : 0));
            sum += found;
        }
        ASSERT_TRUE(entries == MatrixEntries::logits || std::abs(sum - 1) <= 1e-6) << "row " << i << ": " << sum;
    }
}

/// Poisons what is to be written: all of it, or what is not known to hold already.
void poison(WholeMatrix& matrix) {
    for (int i = 0; i < matrix.seq_len(); ++i) {
        const std::span<float> row = matrix.row(i);
        const int count = matrix.above_diagonal ? i + 1 : matrix.seq_len();
        std::fill_n(row.begin(), count, not_a_number);
    }
}

/// Into fresh memory, and twice again into memory that has held another matrix of the same size.
void expect_fills(const Problem& problem, Backend& backend) {
    const BruteForce truth = brute_force(problem);
    WholeMatrix matrix;
    matrix.resize(problem.seq_len);
    for (const MatrixEntries entries :
         {MatrixEntries::weights, MatrixEntries::weights, MatrixEntries::logits, MatrixEntries::logits}) {
        poison(matrix);
        backend.fill(matrix, problem, entries, {});
        ASSERT_NO_FATAL_FAILURE(expect_matrix(truth, matrix, entries));
    }
}

class CpuMatrixShapes : public testing::TestWithParam<std::tuple<int, int>> {
  protected:
    void expect_fills_with(const std::function<void(Problem&)>& change) {
        const auto backend = make_cpu_backend(2);
        for (const Mask mask : {Mask::causal, Mask::none}) {
            SCOPED_TRACE(mask == Mask::causal ? "causal" : "no mask");
            Problem problem = make_problem(std::get<0>(GetParam()), std::get<1>(GetParam()));
            problem.mask = mask;
            change(problem);
            ASSERT_NO_FATAL_FAILURE(expect_fills(problem, *backend));
        }
    }
};

TEST_P(CpuMatrixShapes, Content) {
    expect_fills_with([](Problem&) {});
}
TEST_P(CpuMatrixShapes, ContentFarFromTheOrigin) {
    expect_fills_with([](Problem& problem) {
        problem.positions = {.start = (1 << 20) - 3 * problem.seq_len, .stride = 3};
        problem.scale = 1 / std::sqrt(problem.head_dim());
        problem.temperature = 0.3;
        problem.lowered.attention_scaling = 1.2;
        problem.lowered.near = {.query = {.group = 1, .offset = 2.5L}, .key = {.group = 1, .offset = 0.25L}};
    });
}
TEST_P(CpuMatrixShapes, GroupedPositions) {
    expect_fills_with([](Problem& problem) {
        problem.lowered.near = {.query = {.group = 4, .offset = 1}, .key = {.group = 4, .offset = 0}};
    });
}
TEST_P(CpuMatrixShapes, PositionsOfTheirOwn) {
    expect_fills_with([](Problem& problem) {
        std::vector<std::int64_t> positions;
        for (int token = 0; token < problem.seq_len; ++token) positions.push_back(token * (token % 5 + 3));
        problem.lowered.positions = TokenPositions(positions);
    });
}
TEST_P(CpuMatrixShapes, WhatViewsMustDo) {
    expect_fills_with([](Problem& problem) { make_constant(problem); });
    expect_fills_with([](Problem& problem) { make_self_extend(problem, 12); });
    expect_fills_with([](Problem& problem) { problem.lowered.bias_slope = 0.25; });
    expect_fills_with([](Problem& problem) {
        problem.lowered.damping.assign(static_cast<std::size_t>(problem.lowered.pairs()), 0.01L);
        problem.mask = Mask::causal;
    });
    expect_fills_with([](Problem& problem) {
        for (int channel = 0; channel < problem.head_dim(); ++channel) problem.lowered.added_waves.push_back(channel);
    });
}

INSTANTIATE_TEST_SUITE_P(Small, CpuMatrixShapes,
                         testing::Combine(testing::Values(1, 2, 3, 7, 8, 9, 63, 65),
                                          testing::Values(2, 4, 6, 64, 256)));
INSTANTIATE_TEST_SUITE_P(Long, CpuMatrixShapes, testing::Combine(testing::Values(257), testing::Values(2, 6, 256)));

TEST(CpuMatrix, AgreesOnEveryInstructionSet) {
    on_every_instruction_set([] {
        for (const Mask mask : {Mask::causal, Mask::none}) {
            Problem problem = make_problem(130, 70);
            problem.mask = mask;
            ASSERT_NO_FATAL_FAILURE(expect_fills(problem, *make_cpu_backend(2)));
        }
    });
}

TEST(CpuMatrix, SeveralBlocksOfRowsPastTheCaches) {
    // 1501² entries are more than the caches take, and rows begin anywhere in a vector.
    Problem problem = make_problem(1501, 4);
    for (const Mask mask : {Mask::causal, Mask::none}) {
        problem.mask = mask;
        on_every_instruction_set([&] { ASSERT_NO_FATAL_FAILURE(expect_fills(problem, *make_cpu_backend())); });
    }
}

TEST(CpuMatrix, IsBitIdenticalForAnyNumberOfThreads) {
    for (const Mask mask : {Mask::causal, Mask::none}) {
        Problem problem = make_problem(700, 64);
        problem.mask = mask;
        WholeMatrix one, other;
        make_cpu_backend(1)->fill(one, problem, MatrixEntries::weights, {});
        for (const int threads : {2, 3, 8}) {
            make_cpu_backend(threads)->fill(other, problem, MatrixEntries::weights, {});
            EXPECT_TRUE(std::ranges::equal(one.entries(), other.entries())) << threads;
        }
    }
}

TEST(CpuMatrix, FollowsTheProblemThroughOneBackend) {
    // What one call keeps for the next may not be taken for another head's.
    const auto backend = make_cpu_backend(2);
    for (const int head_dim : {64, 6, 64})
        for (const int seq_len : {65, 257, 64}) {
            Problem problem = make_problem(seq_len, head_dim);
            ASSERT_NO_FATAL_FAILURE(expect_fills(problem, *backend));
            problem.lowered.inv_freq = rotary_frequencies(head_dim, 500);
            ASSERT_NO_FATAL_FAILURE(expect_fills(problem, *backend));
            problem.inputs.k = problem.inputs.q;
            ASSERT_NO_FATAL_FAILURE(expect_fills(problem, *backend));
        }
}

TEST(CpuMatrix, LogitsThatFloatRoundsTooMuchAreMadeInDouble) {
    Problem problem = make_problem(33, 8);
    for (const double factor : {100.0, 1e19, 1e38}) {
        problem.inputs.q = repeated_row({factor, 0, 0, 0, 0, 0, factor, 0});
        problem.inputs.k = repeated_row({1, 0.5, 0, 0, 0, 0, 0.25, 1});
        ASSERT_NO_FATAL_FAILURE(expect_fills(problem, *make_cpu_backend(2))) << factor;
    }
    problem.inputs.q = repeated_row({1e100, 0, 0, 0, 0, 0, 0, 0});
    WholeMatrix matrix;
    make_cpu_backend(2)->fill(matrix, problem, MatrixEntries::logits, {});
    EXPECT_EQ(matrix.row(0)[0], std::numeric_limits<float>::infinity());
}

TEST(CpuMatrix, AFactorBeyondFloatIsOneForDouble) {
    Problem problem = make_problem(30, 4);
    problem.inputs.q = RowSource::of([](int, std::span<double> row) { std::fill(row.begin(), row.end(), 0.0); });
    problem.scale = 1e39;
    WholeMatrix matrix;
    make_cpu_backend(1)->fill(matrix, problem, MatrixEntries::weights, {});
    for (int i = 0; i < 30; ++i) EXPECT_FLOAT_EQ(matrix.row(i)[0], 1 / static_cast<float>(i + 1));
}

TEST(CpuMatrix, StopsWhenItIsNoLongerWanted) {
    const Problem problem = make_problem(300, 8);
    const std::atomic<std::uint64_t> generation{2};
    WholeMatrix matrix;
    const auto backend = make_cpu_backend(2);
    backend->fill(matrix, problem, MatrixEntries::weights, {});
    EXPECT_THROW(backend->fill(matrix, problem, MatrixEntries::logits, Cancel(generation, 1)), Cancelled);
    backend->fill(matrix, problem, MatrixEntries::weights, {});
    expect_matrix(brute_force(problem), matrix, MatrixEntries::weights);
}

TEST(Backend, FillsInDoubleToo) {
    expect_fills(make_problem(65, 6), *make_reference_backend());
}

}  // namespace
}  // namespace ropewalk
