#include "core/cpu/cpu_backend.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <numeric>
#include <thread>

#include "core/attention/make_problem.h"
#include "tests/core/attention/cpu_agreement.h"
#include "tests/core/attention/cpu_instruction_sets.h"
#include "tests/core/attention/cpu_problems.h"

namespace ropewalk {
namespace {

using namespace cpu_test;

/// Shapes × masks × kinds of heads. The kinds vary everything that a lowered encoding can say.
class CpuShapes : public testing::TestWithParam<std::tuple<int, int>> {
  protected:
    void expect_agreement_with(const std::function<void(Problem&)>& change) {
        for (const Mask mask : {Mask::causal, Mask::none}) {
            SCOPED_TRACE(mask == Mask::causal ? "causal" : "no mask");
            Problem problem = make_problem(std::get<0>(GetParam()), std::get<1>(GetParam()));
            problem.mask = mask;
            change(problem);
            ASSERT_NO_FATAL_FAILURE(expect_agreement(problem));
        }
    }
};

TEST_P(CpuShapes, Content) {
    expect_agreement_with([](Problem&) {});
}
TEST_P(CpuShapes, ContentFarFromTheOrigin) {
    expect_agreement_with([](Problem& problem) {
        problem.positions = {.start = (1 << 20) - 3 * problem.seq_len, .stride = 3};
        problem.scale = 1 / std::sqrt(problem.head_dim());
        problem.lowered.attention_scaling = 1.2;
        problem.lowered.near = {.query = {.group = 1, .offset = 2.5L}, .key = {.group = 1, .offset = 0.25L}};
    });
}
TEST_P(CpuShapes, Constant) {
    expect_agreement_with([](Problem& problem) { make_constant(problem); });
}
TEST_P(CpuShapes, ConstantWithOffsetBiasAndTemperature) {
    expect_agreement_with([](Problem& problem) {
        make_constant(problem);
        problem.positions = {.start = 1 << 20, .stride = 3};
        problem.temperature = 0.7;
        problem.lowered.attention_scaling = 1.1;
        problem.lowered.bias_slope = 0.125;
        problem.lowered.near = {.query = {.group = 1, .offset = 2.5L}, .key = {.group = 1, .offset = 0.25L}};
    });
}
TEST_P(CpuShapes, BiasAndTemperature) {
    expect_agreement_with([](Problem& problem) {
        problem.lowered.inv_freq.assign(problem.lowered.inv_freq.size(), 0);
        problem.lowered.bias_slope = 0.25;
        problem.temperature = 1.7;
        problem.positions.stride = 3;
    });
}
TEST_P(CpuShapes, TwoRegimes) {
    expect_agreement_with([](Problem& problem) { make_self_extend(problem, 12); });
}
TEST_P(CpuShapes, TwoRegimesWithFractionalOffsetAndStride) {
    expect_agreement_with([](Problem& problem) {
        make_self_extend(problem, 12.75L);
        problem.positions = {.start = 5, .stride = 3};
    });
}
TEST_P(CpuShapes, ConstantInTwoRegimes) {
    expect_agreement_with([](Problem& problem) {
        make_constant(problem);
        make_self_extend(problem, 12);
    });
}

TEST_P(CpuShapes, ConstantInTwoRegimesThatBeginsWithinAGroup) {
    expect_agreement_with([](Problem& problem) {
        make_constant(problem);
        make_self_extend(problem, 12.75L);
        problem.mask = Mask::causal;
        problem.positions.start = 6;
    });
}

INSTANTIATE_TEST_SUITE_P(Small, CpuShapes,
                         testing::Combine(testing::Values(1, 2, 3, 7, 8, 9, 63, 65),
                                          testing::Values(2, 4, 6, 64, 256)));
INSTANTIATE_TEST_SUITE_P(Long, CpuShapes, testing::Combine(testing::Values(257), testing::Values(2, 6, 256)));

TEST(CpuBackend, SaysWhatItIs) {
    const auto backend = make_cpu_backend(3);
    EXPECT_EQ(backend->id(), "cpu");
    EXPECT_EQ(backend->precision(), Precision::fp32);
    EXPECT_TRUE(backend->description().ends_with(", 3 threads")) << backend->description();
    EXPECT_TRUE(make_cpu_backend(1)->description().ends_with(", 1 thread"));
}

TEST(CpuBackend, NamesItsInstructionSetAsItsMakerDoes) {
    const std::string description(make_cpu_backend(2)->description());
    EXPECT_TRUE(description.ends_with(", 2 threads")) << description;
    EXPECT_EQ(description.find("AVX3"), std::string::npos) << description;
    EXPECT_EQ(description.starts_with("AVX-512,"), (hwy::SupportedTargets() & (HWY_AVX3 | HWY_AVX3_DL)) != 0)
        << description;
}

TEST(CpuBackend, RejectsAViewportOutsideTheMatrix) {
    const Problem problem = make_problem(8, 4);
    EXPECT_THROW(make_cpu_backend(1)->attend(problem, {{0, 9}, {0, 8}, 3, 3}, {}), std::logic_error);
    EXPECT_THROW(make_cpu_backend(1)->attend(problem, {{0, 2}, {0, 8}, 3, 3}, {}), std::logic_error);
}

TEST(CpuBackend, KeepsItsPromiseWhereRoundingErrorsPullTheSameWay) {
    // All products are positive and alike, so that partial sums grow steadily.
    for (const int head_dim : {64, 256, 1024}) {
        Problem problem = make_problem(24, head_dim);
        problem.lowered.inv_freq.assign(problem.lowered.inv_freq.size(), 0);
        for (const double value : {0.1, 1.0 / 3, 0.7}) {
            problem.inputs.q = problem.inputs.k =
                repeated_row(std::vector<double>(static_cast<std::size_t>(head_dim), value));
            ASSERT_NO_FATAL_FAILURE(expect_agreement(problem)) << head_dim << " of " << value;
        }
    }
}

TEST(CpuBackend, AgreesOnEveryInstructionSet) {
    on_every_instruction_set([] {
        for (const Mask mask : {Mask::causal, Mask::none}) {
            Problem problem = make_problem(65, 10);
            problem.mask = mask;
            ASSERT_NO_FATAL_FAILURE(expect_agreement(problem));
            make_self_extend(problem, 12);
            ASSERT_NO_FATAL_FAILURE(expect_agreement(problem));
            problem.lowered.bias_slope = 0.5;
            ASSERT_NO_FATAL_FAILURE(expect_agreement(problem));
            problem.lowered.far.reset();
            make_constant(problem);
            ASSERT_NO_FATAL_FAILURE(expect_agreement(problem));
        }
    });
}

TEST(CpuBackend, HoldsAtHighPositions) {
    for (const int start : {1 << 20, 1 << 30}) {
        Problem problem = make_problem(65, 64);
        problem.positions = {.start = start, .stride = 1};
        ASSERT_NO_FATAL_FAILURE(expect_agreement(problem));
        make_constant(problem);
        ASSERT_NO_FATAL_FAILURE(expect_agreement(problem));
    }
}

TEST(CpuBackend, EveryWindowOfTheFarRegime) {
    for_each_far_window(40, {-100, -3, 0, 1, 15, 16, 17, 64, 1000},
                        [](const Problem& problem) { expect_agreement(problem); });
}

TEST(CpuBackend, LogitsOfThousands) {
    // The previous-token head with α = 100: one weight is 1 and the rest vanish, in row 0 as well, which never sees the
    // peak.
    for (const bool constant : {true, false}) {
        for (const int distance : {1, 40}) {
            Problem problem = make_problem(120, 64);
            std::vector<double> q(64), k(64);
            for (int pair = 0; pair < 32; ++pair) {
                const long double angle = -distance * problem.lowered.inv_freq[pair];
                q[2 * pair] = 100 * static_cast<double>(std::cos(angle));
                q[2 * pair + 1] = 100 * static_cast<double>(std::sin(angle));
                k[2 * pair] = 1;
            }
            problem.inputs.q = constant ? RowSource::constant(q) : repeated_row(q);
            problem.inputs.k = constant ? RowSource::constant(k) : repeated_row(k);
            ASSERT_NO_FATAL_FAILURE(expect_agreement(problem));
            problem.mask = Mask::none;
            ASSERT_NO_FATAL_FAILURE(expect_agreement(problem));
        }
    }
}

TEST(CpuBackend, ExtremeLogits) {
    for (const bool constant : {true, false}) {
        for (const double factor : {0.0, 1e-38, 1e19, -1e19, 1e38, -1e38, 1e100, -1e100}) {
            for (const int seq_len : {1, 2, 33}) {
                Problem problem = make_problem(seq_len, 2);
                const std::vector<double> q{factor, 0}, k{1, 0.5};
                problem.inputs.q = constant ? RowSource::constant(q) : repeated_row(q);
                problem.inputs.k = constant ? RowSource::constant(k) : repeated_row(k);
                ASSERT_NO_FATAL_FAILURE(expect_agreement(problem)) << factor;
                problem.mask = Mask::none;
                ASSERT_NO_FATAL_FAILURE(expect_agreement(problem)) << factor;
            }
        }
    }
}

TEST(CpuBackend, RowsOfEqualLogitsAreFlatOnEveryInstructionSet) {
    on_every_instruction_set([] {
        Problem problem = make_problem(50, 8);
        problem.lowered.inv_freq.assign(4, 0);
        for (const double entry : {3.0, 1e4, 1e12})  // logits up to 8e24: equal all the same
            for (const bool constant : {true, false}) {
                const std::vector<double> row(8, entry);
                problem.inputs.q = problem.inputs.k = constant ? RowSource::constant(row) : repeated_row(row);
                const AttentionView view = make_cpu_backend(1)->attend(problem, whole(problem), {});
                for (int i = 0; i < 50; ++i)
                    for (int j = 0; j <= i; ++j)
                        ASSERT_NEAR(view.weights.mean[static_cast<std::size_t>(i) * 50 + j], 1.0 / (i + 1),
                                    1e-6 / (i + 1))
                            << entry << " " << constant;
                Viewport pooled = whole(problem);
                pooled.cells_down = 50, pooled.cells_across = 5;
                const AttentionView cells = make_cpu_backend(1)->attend(problem, pooled, {});
                for (int i = 0; i < 50; ++i) {  // ten keys a cell
                    ASSERT_NEAR(cells.weights.max[static_cast<std::size_t>(i) * 5], 1.0 / (i + 1), 1e-6 / (i + 1));
                    ASSERT_NEAR(cells.weights.mean[static_cast<std::size_t>(i) * 5], std::min(0.1, 1.0 / (i + 1)),
                                1e-6 / (i + 1))
                        << entry << " " << constant;
                }
            }
    });
}

TEST(CpuBackend, RowsWhoseLargestLogitIsFarBelowZeroOnEveryInstructionSet) {
    on_every_instruction_set([] {
        for (const double min : {-1e29, -1.1e30, -1e38, -1e76}) {
            Problem problem = make_problem(20, 2);
            problem.lowered.inv_freq.assign(1, 0);
            problem.inputs.q = repeated_row({1, 0});
            problem.inputs.k =
                RowSource::of([min](int token, std::span<double> row) { row[0] = min * (token + 1), row[1] = 0; });
            const AttentionView view = make_cpu_backend(1)->attend(problem, whole(problem), {});
            Viewport pooled = whole(problem);
            pooled.cells_down = 20, pooled.cells_across = 2;
            const AttentionView cells = make_cpu_backend(1)->attend(problem, pooled, {});
            for (int i = 0; i < 20; ++i) {
                for (int j = 0; j <= i; ++j)
                    ASSERT_EQ(view.weights.mean[static_cast<std::size_t>(i) * 20 + j], j == 0 ? 1 : 0) << min;
                ASSERT_NEAR(cells.weights.max[static_cast<std::size_t>(i) * 2], 1, 1e-6) << min;
            }
        }
    });
}

// One slow pair under a great norm: logits of 1e12 that fall by a half, two, four and a half … and by thousands at the
// end.
TEST(CpuBackend, WeightsOfLargeLogitsAddUpToOne) {
    Problem problem = make_problem(120, 2);
    problem.lowered.inv_freq.assign(1, 1e-6L);
    for (const bool constant : {true, false}) {
        const std::vector<double> row{1e6, 0};
        problem.inputs.q = problem.inputs.k = constant ? RowSource::constant(row) : repeated_row(row);
        const AttentionView view = make_cpu_backend(2)->attend(problem, whole(problem), {});
        for (int i = 0; i < 120; ++i) {
            const double* const weights = view.weights.mean.data() + static_cast<std::ptrdiff_t>(i) * 120;
            ASSERT_NEAR(std::accumulate(weights, weights + 120, 0.0), 1, 1e-9) << i << " " << constant;
        }
    }
}

TEST(CpuBackend, ManyGroupsOfRows) {
    // So many cells across that their statistics are held for a part of the rows at a time.
    Problem problem = make_problem(1600, 2);
    const BruteForce truth = brute_force(problem);
    const auto backend = make_cpu_backend();
    const Interval all{0, problem.seq_len};
    const AttentionView entries = backend->attend(problem, whole(problem), {});
    ASSERT_NO_FATAL_FAILURE(expect_view(truth, entries));
    ASSERT_NO_FATAL_FAILURE(expect_rows_sum_to_one(entries));
    ASSERT_NO_FATAL_FAILURE(expect_view(truth, backend->attend(problem, {all, all, 3, 1599, RowSampling::all}, {})));
}

TEST(CpuBackend, KeysBeyondTheMemoryLimit) {
    // 134 MB of keys in float: a part is kept as it comes, the rest is read again.
    constexpr int head_dim = 1024, seq_len = 34'000;
    Problem problem = make_problem(1, head_dim);
    problem.seq_len = seq_len;
    problem.lowered.inv_freq.assign(head_dim / 2, 0);
    const auto entry = [](int token, int channel) { return ((token * 37 + channel * 101) % 257 - 128) / 4096.0; };
    problem.inputs.q = problem.inputs.k = RowSource::of([=](int token, std::span<double> row) {
        for (int channel = 0; channel < head_dim; ++channel) row[channel] = entry(token, channel);
    });
    const AttentionView view =
        make_cpu_backend()->attend(problem, {{seq_len - 1, seq_len}, {0, seq_len}, 1, seq_len, RowSampling::all}, {});
    double sum = 0, magnitude = 0;
    std::vector<double> logits;
    for (int key = 0; key < seq_len; ++key) {
        double logit = 0, length = 0;
        for (int channel = 0; channel < head_dim; ++channel) {
            logit += entry(seq_len - 1, channel) * entry(key, channel);
            length += std::abs(entry(seq_len - 1, channel) * entry(key, channel));
        }
        logits.push_back(logit);
        magnitude = std::max(magnitude, length);
        sum += std::exp(logit);
    }
    for (int key = 0; key < seq_len; ++key) {
        ASSERT_TRUE(is_logit(view.logits.mean[key], logits[key], magnitude)) << key;
        ASSERT_TRUE(is_weight(view.weights.mean[key], std::exp(logits[key]) / sum, magnitude)) << key;
    }
}

TEST(CpuBackend, IsBitIdenticalForAnyNumberOfThreads) {
    for (const bool constant : {true, false}) {
        Problem problem = make_problem(1500, 64);
        if (constant) make_constant(problem, 3);
        for (const Mask mask : {Mask::causal, Mask::none}) {
            problem.mask = mask;
            for (const RowSampling sampling :
                 {RowSampling::all, RowSampling::one_per_cell, RowSampling::one_sum_per_cell}) {
                if (sampling == RowSampling::one_sum_per_cell && !constant) continue;
                const Viewport viewport{{11, 1500}, {3, 1400}, 97, 101, sampling};
                const AttentionView one = make_cpu_backend(1)->attend(problem, viewport, {});
                for (const int threads : {2, 3, 8}) {
                    const AttentionView other = make_cpu_backend(threads)->attend(problem, viewport, {});
                    EXPECT_EQ(one.logits.mean, other.logits.mean);
                    EXPECT_EQ(one.logits.min, other.logits.min);
                    EXPECT_EQ(one.logits.max, other.logits.max);
                    EXPECT_EQ(one.weights.mean, other.weights.mean);
                    EXPECT_EQ(one.weights.min, other.weights.min);
                    EXPECT_EQ(one.weights.max, other.weights.max);
                    EXPECT_EQ(one.row_log_sum, other.row_log_sum);
                    EXPECT_EQ(one.row_max_logit, other.row_max_logit);
                }
            }
        }
    }
}

TEST(CpuBackend, StopsWhenItIsNoLongerWanted) {
    for (const bool constant : {true, false}) {
        Problem problem = make_problem(1, 64);
        if (constant) make_constant(problem);
        problem.seq_len = 1 << 20;
        if (!constant) problem.inputs.q = problem.inputs.k = repeated_row(std::vector<double>(64, 0.1));
        const Viewport viewport{{0, problem.seq_len}, {0, problem.seq_len}, 900, 900, RowSampling::all};
        const auto backend = make_cpu_backend();
        std::atomic<std::uint64_t> generation{1};
        std::chrono::steady_clock::time_point asked;
        std::thread later([&] {
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
            asked = std::chrono::steady_clock::now();
            generation = 2;
        });
        EXPECT_THROW(backend->attend(problem, viewport, Cancel(generation, 1)), Cancelled);
        later.join();
        // Without being asked the general path takes hours; the time itself is a benchmark's business.
        EXPECT_LT(std::chrono::steady_clock::now() - asked, std::chrono::seconds(2));
        EXPECT_THROW(backend->attend(problem, viewport, Cancel(generation, 1)), Cancelled);
    }
}

TEST(CpuBackend, NoWeightIsAboveOne) {
    Problem content = make_problem(300, 8);
    content.scale = 40;
    std::vector<Problem> problems{content};
    for (double scale = 1; scale < 400; scale *= 1.25) {  // some of them round the wrong way
        problems.push_back(content);
        make_constant(problems.back());
        problems.back().scale = scale;
    }
    const auto backend = make_cpu_backend(2);
    Viewport pooled = whole(content), rows = pooled;
    pooled.cells_down = pooled.cells_across = rows.cells_across = 100;
    for (const Problem& problem : problems)
        for (const Viewport& viewport : {whole(problem), rows, pooled}) {
            const AttentionView view = backend->attend(problem, viewport, {});
            for (const auto& weights : {view.weights.mean, view.weights.max})
                for (const double weight : weights) ASSERT_LE(weight, 1);
            for (std::size_t row = 0; row < view.row_log_sum.size(); ++row)
                ASSERT_GE(view.row_log_sum[row], view.row_max_logit[row]);
            const double first = view.weights.max.empty() ? view.weights.mean[0] : view.weights.max[0];
            ASSERT_NEAR(first, 1, problem.inputs.is_constant() ? 1e-12 : 0) << "the first row sees one key";
        }
}

TEST(CpuBackend, PassesOnWhatARowSourceThrows) {
    Problem problem = make_problem(200, 4);
    problem.inputs.k = RowSource::of([](int token, std::span<double> row) {
        if (token == 150) throw std::runtime_error("unreadable");
        std::fill(row.begin(), row.end(), 0.0);
    });
    EXPECT_THROW(make_cpu_backend(2)->attend(problem, whole(problem), {}), std::runtime_error);
}

}  // namespace
}  // namespace ropewalk
