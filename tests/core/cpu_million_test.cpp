// The cpu backend at 2²⁰ tokens.
#include <gtest/gtest.h>

#include <cmath>

#include "core/cpu/cpu_backend.h"
#include "tests/core/cpu_agreement.h"
#include "tests/core/cpu_problems.h"

namespace ropewalk {
namespace {

using namespace cpu_test;

/// A constant head of a million tokens.
Problem make_long_problem(int head_dim) {
    Problem problem = make_problem(1, head_dim);
    problem.seq_len = 1 << 20;
    return problem;
}

TEST(CpuBackend, PoolsAMillionTokensExactly) {
    Problem problem = make_long_problem(4);
    problem.inputs.q = RowSource::constant({1.5, 0.5, -1, 2});
    problem.inputs.k = RowSource::constant({1, -0.5, 0.25, 1});
    const int n = problem.seq_len;
    const double magnitude = std::hypot(1.5, 0.5) * std::hypot(1, 0.5) + std::hypot(1, 2) * std::hypot(0.25, 1);
    std::vector<long double> logit, exponential, denominator;  // by distance, and of each row
    long double sum = 0;
    for (int r = 0; r < n; ++r) {
        const long double slow = r * problem.lowered.inv_freq[1];
        logit.push_back(1.25L * std::cos(static_cast<long double>(r)) - 1.25L * std::sin(static_cast<long double>(r)) +
                        1.75L * std::cos(slow) - 1.5L * std::sin(slow));
        exponential.push_back(std::exp(logit.back()));
        denominator.push_back(sum += exponential.back());
    }
    const auto backend = make_cpu_backend();
    for (const RowSampling sampling : {RowSampling::all, RowSampling::one_per_cell}) {
        const Viewport viewport{{0, n}, {0, n}, 900, 900, sampling};
        const AttentionView view = backend->attend(problem, viewport, {});
        for (const auto& [down, across] : {std::pair{0, 0}, {1, 0}, {450, 450}, {899, 3}, {17, 18}}) {
            const Interval rows = viewport.computed_rows(down), columns = viewport.cell_columns(across);
            long double logits = 0, weights = 0, least = infinity, greatest = 0;
            std::int64_t count = 0;
            for (int i = rows.begin; i < rows.end; ++i) {
                for (int j = columns.begin; j < std::min(columns.end, i + 1); ++j, ++count) {
                    const long double weight = exponential[i - j] / denominator[i];
                    logits += logit[i - j];
                    weights += weight;
                    least = std::min(least, weight);
                    greatest = std::max(greatest, weight);
                }
            }
            const std::int64_t entries = std::int64_t{rows.size()} * columns.size();
            const std::size_t at = static_cast<std::size_t>(down) * 900 + across;
            SCOPED_TRACE(testing::Message()
                         << "cell " << down << ", " << across << ", sampling " << static_cast<int>(sampling));
            ASSERT_TRUE(is_logit(view.logits.mean[at], count == 0 ? -infinity : logits / count, magnitude));
            ASSERT_TRUE(is_weight(view.weights.mean[at], weights / entries, magnitude));
            ASSERT_TRUE(is_weight(view.weights.least[at], count < entries ? 0 : least, magnitude));
            ASSERT_TRUE(is_weight(view.weights.greatest[at], greatest, magnitude));
        }
    }
}

TEST(CpuBackend, AOneTokenDiagonalShowsAtEveryZoom) {
    // The previous-token head with α = 10: every row but the first puts nearly all its weight on one key.
    Problem problem = make_long_problem(64);
    std::vector<double> q(64), k(64);
    for (int pair = 0; pair < 32; ++pair) {
        q[2 * pair] = 10 * static_cast<double>(std::cos(problem.lowered.inv_freq[pair]));
        q[2 * pair + 1] = -10 * static_cast<double>(std::sin(problem.lowered.inv_freq[pair]));
        k[2 * pair] = 1;
    }
    problem.inputs = {
        .q = RowSource::constant(q), .k = RowSource::constant(k), .samples = 0, .sample = {}, .first_distance = 0};
    const auto backend = make_cpu_backend();
    for (const int size : {1 << 20, 300'000, 4096, 1000}) {
        for (const int cells : {1, 7, 128, 450}) {
            const Interval tokens{(1 << 20) - size, 1 << 20};
            const AttentionView view = backend->attend(problem, {tokens, tokens, cells, cells, RowSampling::all}, {});
            for (int cell = 0; cell < cells; ++cell)
                ASSERT_GT(view.weights.greatest[static_cast<std::size_t>(cell) * cells + cell], 0.9)
                    << cell << " of " << cells << " in " << size;
        }
    }
}

}  // namespace
}  // namespace ropewalk
