// The cpu backend at 2²⁰ tokens.
#include <gtest/gtest.h>

#include <cmath>

#include "core/analysis/heads/attention_view.h"
#include "core/attention/make_problem.h"
#include "core/cpu/cpu_backend.h"
#include "tests/core/attention/cpu_agreement.h"
#include "tests/core/attention/cpu_problems.h"

namespace ropewalk {
namespace {

using namespace cpu_test;

/// A constant head of a million tokens.
Problem make_long_problem(int head_dim) {
    Problem problem = make_problem(1, head_dim);
    problem.seq_len = 1 << 20;
    return problem;
}

/// Entry by entry: what a head of two pairs has at every distance, and in every row together.
struct LongHead {
    int n = 0;
    Mask mask = Mask::causal;
    std::vector<long double> logits, exponentials;  // at the distances 1 − n …
    std::vector<long double> denominators;          // of the rows

    LongHead(const Problem& problem) : n(problem.seq_len), mask(problem.mask) {
        for (int r = 1 - n; r < n; ++r) {
            const long double slow = r * problem.lowered.inv_freq[1];
            logits.push_back(1.25L * std::cos(static_cast<long double>(r)) -
                             1.25L * std::sin(static_cast<long double>(r)) + 1.75L * std::cos(slow) -
                             1.5L * std::sin(slow));
            exponentials.push_back(std::exp(logits.back()));
        }
        long double before = 0, after = 0;  // keys up to the query, and behind it
        for (int r = 1; r < n; ++r) after += exponentials[static_cast<std::size_t>(n - 1 - r)];
        for (int i = 0; i < n; ++i) {
            before += exponentials[static_cast<std::size_t>(n - 1 + i)];
            denominators.push_back(before + (mask == Mask::none ? after : 0));
            after -= exponentials[static_cast<std::size_t>(i)];  // at the distance i + 1 − n
        }
    }
    int keys_end(int row, Interval columns) const {
        return mask == Mask::none ? columns.end : std::min(columns.end, row + 1);
    }
};

TEST(CpuBackend, PoolsAMillionTokensExactly) {
    Problem problem = make_long_problem(4);
    problem.inputs.q = RowSource::constant({1.5, 0.5, -1, 2});
    problem.inputs.k = RowSource::constant({1, -0.5, 0.25, 1});
    const int n = problem.seq_len;
    const double magnitude = std::hypot(1.5, 0.5) * std::hypot(1, 0.5) + std::hypot(1, 2) * std::hypot(0.25, 1);
    const auto backend = make_cpu_backend();
    for (const Mask mask : {Mask::causal, Mask::none}) {
        problem.mask = mask;
        const LongHead head(problem);
        for (const RowSampling sampling : {RowSampling::all, RowSampling::one_per_cell}) {
            const Viewport viewport{{0, n}, {0, n}, 900, 900, sampling};
            const AttentionView view = backend->attend(problem, viewport, {});
            for (const auto& [down, across] : {std::pair{0, 0}, {1, 0}, {224, 899}, {450, 450}, {899, 3}, {17, 18}}) {
                const Interval rows = viewport.computed_rows(down), columns = viewport.cell_columns(across);
                long double logits = 0, weights = 0, min = infinity, max = 0;
                std::int64_t count = 0;
                for (int i = rows.begin; i < rows.end; ++i)
                    for (int j = columns.begin; j < head.keys_end(i, columns); ++j, ++count) {
                        const auto distance = static_cast<std::size_t>(n - 1 + i - j);
                        const long double weight = head.exponentials[distance] / head.denominators[i];
                        logits += head.logits[distance];
                        weights += weight;
                        min = std::min(min, weight);
                        max = std::max(max, weight);
                    }
                const std::int64_t entries = std::int64_t{rows.size()} * columns.size();
                const std::size_t at = static_cast<std::size_t>(down) * 900 + across;
                SCOPED_TRACE(testing::Message()
                             << "cell " << down << ", " << across << ", sampling " << static_cast<int>(sampling)
                             << (mask == Mask::none ? ", no mask" : ""));
                ASSERT_TRUE(is_logit(view.logits.mean[at], count == 0 ? -infinity : logits / count, magnitude));
                ASSERT_TRUE(is_weight(view.weights.mean[at], weights / entries, magnitude));
                ASSERT_TRUE(is_weight(view.weights.min[at], count < entries ? 0 : min, magnitude));
                ASSERT_TRUE(is_weight(view.weights.max[at], max, magnitude));
            }
        }
    }
}

/// The previous-token head with α = 10: every row but the first puts nearly all its weight on one key.
Problem make_long_previous_token_head() {
    Problem problem = make_long_problem(64);
    std::vector<double> q(64), k(64);
    for (int pair = 0; pair < 32; ++pair) {
        q[2 * pair] = 10 * static_cast<double>(std::cos(problem.lowered.inv_freq[pair]));
        q[2 * pair + 1] = -10 * static_cast<double>(std::sin(problem.lowered.inv_freq[pair]));
        k[2 * pair] = 1;
    }
    problem.inputs = {
        .q = RowSource::constant(q), .k = RowSource::constant(k), .samples = 0, .sample = {}, .first_distance = 0};
    return problem;
}

TEST(CpuBackend, AOneTokenDiagonalShowsAtEveryZoom) {
    const Problem problem = make_long_previous_token_head();
    const auto backend = make_cpu_backend();
    for (const int size : {1 << 20, 300'000, 4096, 1000}) {
        for (const int cells : {1, 7, 128, 450}) {
            const Interval tokens{(1 << 20) - size, 1 << 20};
            const AttentionView view = backend->attend(problem, {tokens, tokens, cells, cells, RowSampling::all}, {});
            for (int cell = 0; cell < cells; ++cell)
                ASSERT_GT(view.weights.max[static_cast<std::size_t>(cell) * cells + cell], 0.9)
                    << cell << " of " << cells << " in " << size;
        }
    }
}

TEST(CpuBackend, APreviewOfAMillionTokensHasTheExactLogitsAndDiagonal) {
    Problem problem = make_long_previous_token_head();
    const Interval all{0, problem.seq_len};
    const int cells = 300;
    const auto backend = make_cpu_backend();
    for (const Mask mask : {Mask::causal, Mask::none}) {
        problem.mask = mask;
        const ViewQuestion question{.viewport = {all, all, cells, cells}};
        const AttentionView first = backend->attend(problem, question.coarsened(problem).viewport, {});
        const AttentionView exact = backend->attend(problem, question.viewport, {});
        ASSERT_NE(first.viewport, exact.viewport);
        EXPECT_EQ(first.logits.mean, exact.logits.mean);
        EXPECT_EQ(first.logits.min, exact.logits.min);
        EXPECT_EQ(first.logits.max, exact.logits.max);
        // But for the first cell: token 0 gives itself all its weight.
        for (std::size_t cell = 1; cell < first.weights.max.size(); ++cell)
            ASSERT_NEAR(first.weights.max[cell], exact.weights.max[cell], 1e-9) << cell;
    }
}

}  // namespace
}  // namespace ropewalk
