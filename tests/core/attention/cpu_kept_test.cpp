// What the cpu backend leaves out because it is not wanted, and what it keeps from one view to the next.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>

#include "core/attention/make_problem.h"
#include "core/constructions/construction.h"
#include "core/constructions/construction_list.h"
#include "core/cpu/by_row/grouped_rows.h"
#include "core/encodings/encoding_list.h"
#include "tests/core/attention/cpu_agreement.h"
#include "tests/core/attention/cpu_problems.h"

namespace ropewalk {
namespace {

using namespace cpu_test;
using testing::IsEmpty;

/// Rows that count how often they are read.
struct CountedKeys {
    std::vector<std::atomic<int>> reads;

    explicit CountedKeys(int tokens) : reads(static_cast<std::size_t>(tokens)) {}
    RowSource source() {
        return RowSource::of([this](int token, std::span<double> row) {
            ++reads[static_cast<std::size_t>(token)];
            for (std::size_t channel = 0; channel < row.size(); ++channel)
                row[channel] = std::sin(0.7 * token + 1.3 * static_cast<double>(channel));
        });
    }
    int max() const {
        int most = 0;
        for (const auto& count : reads) most = std::max(most, count.load());
        return most;
    }
};

TEST(GroupedRows, KeepsWhatIsReadFirstAndReadsTheRestAgain) {
    constexpr int head_dim = 4096, tokens = 5000;  // more than there is room for: two in five are kept
    CountedKeys keys(tokens);
    cpu::GroupedRows<float> rows;
    rows.prepare(keys.source(), tokens, head_dim, cpu::GroupedRows<float>::Keeping::while_there_is_room);
    cpu::GroupedRows<float>::Scratch scratch(head_dim);
    const int first = 3;
    for (const int group : {rows.groups() - 1, first, first}) rows.read(group, scratch);
    for (int group = 0; group < rows.groups(); ++group) {
        const auto read = rows.read(group, scratch);
        const int token = std::min(group * cpu::key_group + 1, tokens - 1);
        constexpr int seventh = head_dim / 2 + 3;  // of the channels, the second one of pair 3
        ASSERT_FLOAT_EQ(read.rows[seventh * cpu::key_group + 1], static_cast<float>(std::sin(0.7 * token + 1.3 * 7)));
    }
    EXPECT_EQ(keys.reads[first * cpu::key_group], 1) << "kept from the first time on";
    const int before = keys.reads[tokens / 4], last = (rows.groups() - 2) * cpu::key_group;
    EXPECT_EQ(before, 1);
    EXPECT_EQ(keys.reads[last], 1);
    rows.read(tokens / 4 / cpu::key_group, scratch);
    rows.read(last / cpu::key_group, scratch);
    EXPECT_EQ(keys.reads[tokens / 4], 1) << "there was room";
    EXPECT_EQ(keys.reads[last], 2) << "there was none";
}

std::vector<Problem> some_problems() {
    std::vector<Problem> problems;
    for (const Mask mask : {Mask::causal, Mask::none})
        for (const Construction& construction :
             {Construction(Gaussian{}), Construction(PreviousToken{}), Construction(Ones{})})
            for (const Encoding& encoding :
                 {Encoding(Rope{}), Encoding(Alibi{}), Encoding(XPos{}), Encoding(SelfExtend{})})
                problems.push_back(make_problem({.head_dim = 16,
                                                 .seq_len = 230,
                                                 .encoding = encoding,
                                                 .construction = construction,
                                                 .mask = mask}));
    return problems;
}

void expect_part(const Numbers& part, const Numbers& all, bool wanted, const char* what) {
    if (!wanted) {
        EXPECT_THAT(part, IsEmpty()) << what;
        return;
    }
    ASSERT_EQ(part.size(), all.size()) << what;
    // A mean is kept between the extremes only where these are known: a difference in the last bits.
    for (std::size_t i = 0; i < all.size(); ++i)
        ASSERT_TRUE(part[i] == all[i] || std::abs(part[i] - all[i]) <= 1e-6 * std::abs(all[i]))
            << what << i << ": " << part[i] << " instead of " << all[i];
}

TEST(CellContent, WhatIsWantedAloneIsWhatItIsWithTheRest) {
    const auto backend = make_cpu_backend(2);
    for (const Problem& problem : some_problems())
        for (const RowSampling sampling : {RowSampling::all, RowSampling::one_per_cell})
            for (const Interval rows : {Interval{0, 230}, Interval{31, 190}}) {
                Viewport viewport{
                    .rows = rows, .columns = {11, 230}, .cells_down = 23, .cells_across = 40, .row_sampling = sampling};
                const AttentionView all = backend->attend(problem, viewport, {});
                for (int bits = 0; bits < 32; ++bits) {
                    const CellContent content{(bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0, (bits & 8) != 0,
                                              (bits & 16) != 0};
                    viewport.content = content;
                    const AttentionView part = backend->attend(problem, viewport, {});
                    expect_part(part.logits.mean, all.logits.mean, content.logits && content.mean, "mean logit ");
                    expect_part(part.logits.min, all.logits.min, content.logits && content.min, "least logit ");
                    expect_part(part.logits.max, all.logits.max, content.logits && content.max, "greatest logit ");
                    expect_part(part.weights.mean, all.weights.mean, content.weights && content.mean, "mean weight ");
                    expect_part(part.weights.min, all.weights.min, content.weights && content.min, "least weight ");
                    expect_part(part.weights.max, all.weights.max, content.weights && content.max, "greatest weight ");
                    EXPECT_EQ(part.row_log_sum, all.row_log_sum);
                    EXPECT_EQ(part.visible_cells, all.visible_cells);
                }
            }
}

TEST(CellContent, EntriesOnTheirOwnHaveAMeanWhateverIsWanted) {
    const auto backend = make_cpu_backend(1);
    for (const Problem& problem : some_problems()) {
        Viewport viewport = Viewport::one_to_one({100, 130}, {90, 140});
        const AttentionView all = backend->attend(problem, viewport, {});
        viewport.content = {.logits = false, .mean = false, .min = false};
        const AttentionView weights = backend->attend(problem, viewport, {});
        EXPECT_THAT(weights.logits.mean, IsEmpty());
        EXPECT_EQ(weights.weights.mean, all.weights.mean);
    }
}

TEST(VisibleCells, AreThoseWithAnUnmaskedEntry) {
    for (const Problem& problem : some_problems()) {
        const AttentionView view = make_cpu_backend(1)->attend(problem, {{5, 100}, {20, 150}, 19, 31}, {});
        for (int down = 0; down < 19; ++down)
            for (int across = 0; across < 31; ++across)
                EXPECT_EQ(view.visible_cells[down].contains(across),
                          std::isfinite(view.logits.max[down * 31 + across]));
    }
}

TEST(CpuBackend, DoesNotDependOnWhatWasComputedBefore) {
    Problem content = make_problem(300, 16), constant = make_problem(300, 16);
    make_constant(constant);
    const Viewport coarse{{0, 300}, {0, 300}, 31, 29, RowSampling::all},
        fine{{20, 280}, {7, 300}, 130, 150, RowSampling::one_per_cell};
    const auto used = make_cpu_backend(2);
    for (int round = 0; round < 2; ++round) {
        for (const Problem* problem : {&content, &constant}) {
            for (const Viewport& viewport : {coarse, fine}) {
                const AttentionView again = used->attend(*problem, viewport, {}),
                                    fresh = make_cpu_backend(2)->attend(*problem, viewport, {});
                EXPECT_EQ(again.logits.mean, fresh.logits.mean);
                EXPECT_EQ(again.logits.min, fresh.logits.min);
                EXPECT_EQ(again.logits.max, fresh.logits.max);
                EXPECT_EQ(again.weights.mean, fresh.weights.mean);
                EXPECT_EQ(again.weights.min, fresh.weights.min);
                EXPECT_EQ(again.weights.max, fresh.weights.max);
            }
        }
    }
}

TEST(CpuBackend, ReadsEachRowOnce) {
    Problem problem = make_problem(300, 8);
    std::vector<std::atomic<int>> reads(300);
    problem.inputs.k = RowSource::of([&](int token, std::span<double> row) {
        ++reads[static_cast<std::size_t>(token)];
        std::fill(row.begin(), row.end(), 0.25);
    });
    make_self_extend(problem, 12);
    make_cpu_backend(2)->attend(problem, {{100, 200}, {0, 300}, 10, 10, RowSampling::all}, {});
    for (int token = 0; token < 300; ++token)
        ASSERT_EQ(reads[static_cast<std::size_t>(token)], token < 200 ? 1 : 0) << token;
}

TEST(CpuBackend, ReadsKeysAgainOnlyIfTheyAreOthers) {
    CountedKeys counted(300);
    Problem problem = make_problem({.head_dim = 8, .seq_len = 300, .construction = Gaussian{}});
    problem.inputs.k = counted.source();
    const Viewport viewport{{0, 300}, {0, 300}, 30, 30};
    const auto used = make_cpu_backend(2);
    const auto same_as_fresh = [&](const Viewport& looked_at) {
        const AttentionView view = used->attend(problem, looked_at, {});
        const int reads = counted.max();
        const AttentionView fresh = make_cpu_backend(1)->attend(problem, looked_at, {});
        for (auto& count : counted.reads) count = reads;  // those of the fresh backend do not count
        EXPECT_EQ(view.weights.mean, fresh.weights.mean);
        EXPECT_EQ(view.row_log_sum, fresh.row_log_sum);
    };
    same_as_fresh(viewport);
    EXPECT_EQ(counted.max(), 1);
    problem.temperature = 3;
    same_as_fresh(viewport);
    problem.lowered = lower(Rope{.base = 77}, {.head_dim = 8, .seq_len = 300});
    same_as_fresh(viewport);
    EXPECT_EQ(counted.max(), 1);
    problem.positions.start = 1 << 20;
    same_as_fresh(viewport);
    EXPECT_EQ(counted.max(), 1);
    problem.inputs.k = counted.source();
    same_as_fresh(viewport);
    EXPECT_EQ(counted.max(), 2);
}

TEST(CpuBackend, DenominatorsOutliveAMoveOfTheViewport) {
    for (const Problem& problem : some_problems()) {
        const auto used = make_cpu_backend(2);
        // The second is seen with denominators of the first, the third with some, the last after other rows' alone.
        for (const auto& [rows, columns] : {std::pair{Interval{100, 180}, Interval{0, 50}},
                                            {{110, 170}, {57, 163}},
                                            {{90, 130}, {3, 99}},
                                            {{0, 230}, {0, 230}},
                                            {{0, 10}, {200, 230}}}) {
            const Viewport viewport = Viewport::one_to_one(rows, columns);
            const AttentionView view = used->attend(problem, viewport, {}),
                                fresh = make_cpu_backend(1)->attend(problem, viewport, {});
            EXPECT_EQ(view.logits.mean, fresh.logits.mean);
            EXPECT_EQ(view.weights.mean, fresh.weights.mean);
            EXPECT_EQ(view.row_log_sum, fresh.row_log_sum);
        }
    }
}

TEST(CpuBackend, ReadsQueriesAgainOnlyIfTheyAreOthers) {
    CountedKeys counted(300);
    Problem problem = make_problem({.head_dim = 8, .seq_len = 300, .construction = Gaussian{}});
    problem.inputs.q = counted.source();
    const auto used = make_cpu_backend(2);
    const Viewport viewport{{0, 300}, {0, 300}, 30, 30};
    used->attend(problem, viewport, {});
    problem.lowered = lower(Rope{.base = 77}, {.head_dim = 8, .seq_len = 300});
    const AttentionView view = used->attend(problem, viewport, {});
    EXPECT_EQ(counted.max(), 1);
    EXPECT_EQ(view.weights.mean, make_cpu_backend(1)->attend(problem, viewport, {}).weights.mean);
    const Viewport other = Viewport::one_to_one({7, 150}, {0, 300});
    EXPECT_EQ(used->attend(problem, other, {}).weights.mean,
              make_cpu_backend(1)->attend(problem, other, {}).weights.mean);
}

TEST(CpuBackend, AnotherLengthOfTheSameSourceHasItsOwnLastRow) {
    CountedKeys counted(16);
    Problem problem = make_problem({.head_dim = 8, .seq_len = 7, .construction = Gaussian{}});
    problem.inputs.k = counted.source();
    const auto used = make_cpu_backend(1);
    for (const int seq_len : {7, 8, 5}) {
        problem.seq_len = seq_len;
        EXPECT_EQ(used->attend(problem, whole(problem), {}).logits.mean,
                  make_cpu_backend(1)->attend(problem, whole(problem), {}).logits.mean);
    }
}

TEST(CpuBackend, ACloserLookAfterAPooledOneIsWhatItIsWithout) {
    for (const Problem& problem : some_problems()) {
        const auto used = make_cpu_backend(2);
        used->attend(problem, {{0, 230}, {0, 230}, 20, 23}, {});
        const Viewport close = Viewport::one_to_one({60, 150}, {30, 90});
        const AttentionView view = used->attend(problem, close, {}),
                            fresh = make_cpu_backend(2)->attend(problem, close, {});
        EXPECT_EQ(view.weights.mean, fresh.weights.mean);
        EXPECT_EQ(view.row_log_sum, fresh.row_log_sum);
    }
}

TEST(CpuBackend, WhatWasBrokenOffLeavesNothingBehind) {
    std::atomic<std::uint64_t> generation{0};
    std::atomic<int> left{0};
    Problem problem = make_problem({.head_dim = 8, .seq_len = 900, .construction = Gaussian{}});
    const RowSource keys = problem.inputs.k;
    problem.inputs.k = RowSource::of([&](int token, std::span<double> row) {
        if (--left == 0) ++generation;
        keys.read(token, row);
    });
    const auto used = make_cpu_backend(2);
    const Viewport close = Viewport::one_to_one({600, 700}, {0, 500});
    for (const int reads : {1, 20, 40}) {
        left = reads;
        EXPECT_THROW(used->attend(problem, close, Cancel(generation, generation)), Cancelled) << reads;
    }
    left = 1 << 20;
    const AttentionView view = used->attend(problem, close, {}),
                        fresh = make_cpu_backend(1)->attend(problem, close, {});
    EXPECT_EQ(view.weights.mean, fresh.weights.mean);
}

TEST(CpuBackend, ScoresBesideWeightsAndOtherTemperaturesAreWhatTheyAreOnTheirOwn) {
    for (Problem problem : some_problems()) {
        const auto used = make_cpu_backend(2);
        const Viewport pooled{{0, 230}, {0, 230}, 20, 23}, close = Viewport::one_to_one({60, 150}, {30, 90});
        for (const double temperature : {1.0, 0.5, 3.0, 1.0}) {
            problem.temperature = temperature;
            for (const Viewport& viewport : {pooled, close})
                for (const Problem& one : {problem, scores_only(problem)}) {
                    const AttentionView view = used->attend(one, viewport, {}),
                                        fresh = make_cpu_backend(1)->attend(one, viewport, {});
                    EXPECT_EQ(view.logits.mean, fresh.logits.mean);
                    EXPECT_EQ(view.weights.mean, fresh.weights.mean);
                    EXPECT_EQ(view.row_log_sum, fresh.row_log_sum);
                }
        }
    }
}

TEST(CpuBackend, LogitsTooLargeForFloatAreOnesForGood) {
    Problem problem = make_problem({.head_dim = 8, .seq_len = 200, .construction = Gaussian{}});
    problem.temperature = 1e-3;
    const auto used = make_cpu_backend(2);
    for (const Interval rows : {Interval{0, 200}, {50, 90}, {0, 200}}) {
        const Viewport close = Viewport::one_to_one(rows, {0, 200});
        EXPECT_EQ(used->attend(problem, close, {}).logits.mean,
                  make_cpu_backend(1)->attend(problem, close, {}).logits.mean);
    }
}

TEST(CpuBackend, RowsOfCellsThatAreOneColumnWideAreTheRows) {
    for (const Problem& problem : some_problems()) {
        const auto backend = make_cpu_backend(2);
        Viewport viewport{.rows = {3, 228},
                          .columns = {0, 230},
                          .cells_down = 45,
                          .cells_across = 230,
                          .row_sampling = RowSampling::one_per_cell,
                          .content = {.min = false, .max = false}};
        const AttentionView view = backend->attend(problem, viewport, {});
        for (int i = 0; i < 45; ++i) {
            const int row = view.row_index[i];
            const AttentionView alone = backend->attend(problem, Viewport::one_to_one({row, row + 1}, {0, 230}), {});
            for (int key = 0; key < 230; ++key) {
                EXPECT_NEAR(view.weights.mean[i * 230 + key], alone.weights.mean[key], 1e-6 * alone.weights.mean[key]);
                if (std::isfinite(alone.logits.mean[key]))
                    EXPECT_NEAR(view.logits.mean[i * 230 + key], alone.logits.mean[key], 1e-9);
                else
                    EXPECT_EQ(view.logits.mean[i * 230 + key], alone.logits.mean[key]);
            }
        }
    }
}

TEST(Inputs, AreTheSameSourceWhileWhatTheyFollowFromIsTheSame) {
    InputsMemo known;
    Experiment experiment{.head_dim = 8, .seq_len = 20, .construction = Gaussian{}};
    const Problem before = make_problem(experiment, known);
    experiment.encoding = Rope{.base = 5};
    experiment.temperature = 2;
    EXPECT_EQ(make_problem(experiment, known).inputs.k, before.inputs.k);
    experiment.seed = 1;
    EXPECT_FALSE(make_problem(experiment, known).inputs.k == before.inputs.k);
}

TEST(Inputs, ThatIgnoreTheEncodingDoSo) {
    for (const Construction& construction : alternatives_of<Construction>()) {
        if (!ignores_encoding(construction)) continue;
        Experiment experiment{.head_dim = 16, .seq_len = 20, .construction = construction};
        std::vector<double> row(16), other(16);
        for (const Encoding& encoding : alternatives_of<Encoding>()) {
            experiment.encoding = encoding;
            if (validate(experiment)) continue;
            for (int token = 0; token < 20; ++token) {
                make_problem(experiment).inputs.q.read(token, row);
                make_problem({.head_dim = 16, .seq_len = 20, .construction = construction}).inputs.q.read(token, other);
                EXPECT_EQ(row, other) << id_of(construction) << " " << id_of(encoding);
            }
        }
    }
}

}  // namespace
}  // namespace ropewalk
