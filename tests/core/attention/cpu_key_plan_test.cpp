#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "core/attention/make_problem.h"
#include "core/constructions/construction_list.h"
#include "core/cpu/by_row/key_plan.h"
#include "core/cpu/view.h"
#include "tests/core/attention/cpu_agreement.h"
#include "tests/core/attention/cpu_problems.h"

namespace ropewalk {
namespace {

using namespace cpu_test;
using cpu::KeyPlan;

/// That pieces come one after another, and that each is of one block; first_column(block) is where this one begins.
template <class FirstColumn>
void expect_pieces_of_blocks(const KeyPlan& plan, int end, FirstColumn first_column) {
    ASSERT_EQ(static_cast<int>(plan.pieces.size()), plan.piece_count() + 1);
    ASSERT_EQ(plan.pieces.back(), end);
    for (int piece = 0; piece < plan.piece_count(); ++piece) ASSERT_LT(plan.pieces[piece], plan.pieces[piece + 1]);
    ASSERT_EQ(plan.first_piece.front(), 0);
    ASSERT_EQ(plan.first_piece.back(), plan.piece_count());
    for (int block = 0; block < plan.block_count(); ++block) {
        const Interval pieces = plan.pieces_of(block);
        ASSERT_LT(pieces.begin, pieces.end);
        ASSERT_EQ(plan.pieces[pieces.begin], first_column(block));
    }
}

/// That the pieces of every cell are its columns, and that other columns are of none.
void expect_pieces_of_cells(const KeyPlan& plan, std::span<const int> boundaries) {
    const int cells = std::max(0, static_cast<int>(boundaries.size()) - 1);
    std::map<int, Interval> covered;
    for (int piece = 0; piece < plan.piece_count(); ++piece) {
        const Interval columns{plan.pieces[piece], plan.pieces[piece + 1]};
        const int cell = plan.cell[piece];
        ASSERT_LT(cell, cells);
        if (cell < 0) {
            ASSERT_TRUE(cells == 0 || columns.end <= boundaries.front() || columns.begin >= boundaries.back());
            continue;
        }
        const auto [place, is_first] = covered.emplace(cell, columns);
        if (is_first) continue;
        ASSERT_EQ(place->second.end, columns.begin);
        place->second.end = columns.end;
    }
    ASSERT_EQ(static_cast<int>(covered.size()), cells);
    for (const auto& [cell, columns] : covered) ASSERT_EQ(columns, (Interval{boundaries[cell], boundaries[cell + 1]}));
}

TEST(KeyPlan, CutsCellsWhereBlocksEnd) {
    for (const int seq_len : {1, 5, 130, 2000, 40'000, 1 << 20})
        for (const Interval columns : {Interval{0, seq_len}, Interval{seq_len / 3, seq_len - seq_len / 4}}) {
            const Problem problem = make_problem({.head_dim = 64, .seq_len = seq_len, .construction = Ones{}});
            for (const int cells : {0, 1, std::min(columns.size(), 77), std::min(columns.size(), 900)}) {
                SCOPED_TRACE(testing::Message() << seq_len << " tokens, " << cells << " cells");
                const std::vector<int> boundaries =
                    cells == 0 ? std::vector<int>() : cpu::CellGeometry({{0, seq_len}, columns, 1, cells}).boundaries();
                const KeyPlan plan = KeyPlan::all(problem, boundaries, 256);
                ASSERT_EQ(plan.blocks.front(), 0);
                ASSERT_EQ(plan.blocks.back(), seq_len);
                ASSERT_LE(plan.block_count(), 800);
                for (int block = 0; block < plan.block_count(); ++block) {
                    ASSERT_EQ(plan.blocks[block] % cpu::key_group, 0);
                    ASSERT_LE(plan.keys(block).size(), plan.block_keys);
                }
                ASSERT_NO_FATAL_FAILURE(
                    expect_pieces_of_blocks(plan, seq_len, [&](int block) { return plan.blocks[block]; }));
                ASSERT_NO_FATAL_FAILURE(expect_pieces_of_cells(plan, boundaries));
            }
        }
}

TEST(KeyPlan, HasNoMorePiecesWhereDampingIsStrong) {
    Problem problem = make_problem({.head_dim = 8, .seq_len = 1 << 20, .construction = Ones{}});
    const int pieces = KeyPlan::all(problem, {}, 64).piece_count();
    problem.lowered.damping.assign(4, 75.0L);
    const KeyPlan plan = KeyPlan::all(problem, {}, 64);
    EXPECT_EQ(plan.stretch, cpu::key_group);
    EXPECT_EQ(plan.piece_count(), pieces);
}

TEST(KeyPlan, OfDrawnKeysCoversTheColumnsThatWereLeftOut) {
    const Problem problem = make_problem({.head_dim = 64, .seq_len = 131'072, .construction = Ones{}});
    for (const Interval columns : {Interval{0, 131'072}, Interval{30'001, 90'002}}) {
        const cpu::CellGeometry cells({{0, 131'072}, columns, 1, 300});
        const cpu::KeySample sample = cpu::draw_keys(problem, cells);
        const KeyPlan plan = KeyPlan::drawn(sample, 256);
        ASSERT_GT(plan.block_count(), 1);
        ASSERT_EQ(plan.blocks.back(), static_cast<int>(sample.runs.size()) * cpu::drawn_keys);
        ASSERT_NO_FATAL_FAILURE(expect_pieces_of_blocks(plan, 131'072, [&](int block) {
            return block == 0 ? 0 : sample.runs[plan.blocks[block] / cpu::drawn_keys];
        }));
        ASSERT_NO_FATAL_FAILURE(expect_pieces_of_cells(plan, sample.boundaries));
    }
}

TEST(CpuBackend, BlocksAndRangesOfDampingThatDoNotMeet) {
    // 460 nepers are those of 657, 306 and 8 keys; blocks have 128.
    for (const long double nepers : {0.7L, 1.5L, 50.0L}) {
        Problem problem = make_problem(900, 6);
        problem.lowered.damping.assign(3, nepers);
        ASSERT_NO_FATAL_FAILURE(expect_agreement(problem));
    }
}

TEST(CpuBackend, SumsOfManyPiecesAreNotRoundedOneAfterAnother) {
    // Logits that are nearly the same: in float, each of some hundred additions would be off in the same direction.
    constexpr int head_dim = 1024, seq_len = 34'000;
    Problem problem = make_problem(1, head_dim);
    problem.seq_len = seq_len;
    problem.lowered.inv_freq.assign(head_dim / 2, 0);
    for (const double logit : {3.97, 6.19}) {
        const double entry = std::sqrt(logit / head_dim);
        problem.inputs.q = RowSource::of([=](int, std::span<double> row) { std::fill(row.begin(), row.end(), entry); });
        problem.inputs.k = RowSource::of([=](int token, std::span<double> row) {
            std::fill(row.begin(), row.end(), entry * (token % 2 == 0 ? 0.999 : 1.001));
        });
        const AttentionView view =
            make_cpu_backend(2)->attend(problem, {{seq_len - 1, seq_len}, {0, seq_len}, 1, 1, RowSampling::all}, {});
        EXPECT_TRUE(is_logit(view.logits.mean[0], logit, logit)) << view.logits.mean[0];
        EXPECT_NEAR(view.weights.mean[0] * seq_len, 1, 1e-6);
    }
}

}  // namespace
}  // namespace ropewalk
