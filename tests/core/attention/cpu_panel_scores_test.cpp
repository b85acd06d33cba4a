// Scores that the cpu backend keeps while scale and temperature alone change.
#include <gtest/gtest.h>

#include <numeric>

#include "core/attention/make_problem.h"
#include "core/constructions/construction.h"
#include "core/constructions/construction_list.h"
#include "core/cpu/by_row/panel_scores.h"
#include "core/encodings/encoding_list.h"
#include "tests/core/attention/cpu_agreement.h"
#include "tests/core/attention/cpu_problems.h"

namespace ropewalk {
namespace {

using namespace cpu_test;

/// The panels of some rows.
struct Panels {
    std::vector<int> rows;
    std::vector<cpu::QueryPanel<float>> panels;

    Panels(int first, int count) : rows(static_cast<std::size_t>(count)) {
        std::iota(rows.begin(), rows.end(), first);
        const std::size_t width = static_cast<std::size_t>(cpu::panel_rows<float>());
        for (std::size_t begin = 0; begin < rows.size(); begin += width)
            cpu::set_rows(panels.emplace_back(), std::span(rows).subspan(begin, std::min(width, rows.size() - begin)));
    }
};

enum class Lent { nothing, room, scores };
Lent lend(cpu::PanelScores<float>& scores, const Problem& problem, int first, int count) {
    Panels of(first, count);
    scores.lend(problem, of.rows, of.panels);
    Lent lent = Lent::nothing;
    if (of.panels.front().scores) lent = of.panels.front().has_scores ? Lent::scores : Lent::room;
    for (const auto& panel : of.panels) {
        EXPECT_EQ(panel.scores != nullptr, lent != Lent::nothing);
        EXPECT_EQ(panel.has_scores, lent == Lent::scores);
    }
    return lent;
}

TEST(PanelScores, AreCachedFromTheSecondCallForTwoListsOfRows) {
    Problem problem = make_problem({.head_dim = 8, .seq_len = 300, .construction = Gaussian{}});
    cpu::PanelScores<float> scores;
    EXPECT_EQ(lend(scores, problem, 0, 100), Lent::nothing);
    EXPECT_EQ(lend(scores, problem, 0, 100), Lent::room);
    EXPECT_EQ(lend(scores, problem, 0, 100), Lent::room) << "the scan was broken off";
    scores.keep(7);
    problem.temperature = 3;
    EXPECT_EQ(lend(scores, problem, 0, 100), Lent::scores);
    EXPECT_EQ(scores.max_key_length(), 7);

    EXPECT_EQ(lend(scores, problem, 0, 101), Lent::nothing);
    EXPECT_EQ(lend(scores, problem, 0, 100), Lent::scores);
    EXPECT_EQ(lend(scores, problem, 1, 100), Lent::nothing);
    EXPECT_EQ(lend(scores, problem, 0, 101), Lent::nothing) << "a third list drives out the one asked for longest ago";

    problem.positions.stride = 2;
    EXPECT_EQ(lend(scores, problem, 0, 101), Lent::nothing);
    problem = make_problem({.head_dim = 8, .seq_len = 300, .construction = Gaussian{}, .seed = 1});
    EXPECT_EQ(lend(scores, problem, 0, 101), Lent::nothing);
}

TEST(PanelScores, AreNotCachedWithoutSpace) {
    const int tokens = 1 << 20;
    const int most_rows = static_cast<int>(cpu::PanelScores<float>::most_bytes / sizeof(float) / tokens);
    const Problem problem = make_problem({.head_dim = 2, .seq_len = tokens, .construction = Gaussian{}});
    cpu::PanelScores<float> scores;
    for (int time = 0; time < 3; ++time)
        EXPECT_EQ(lend(scores, problem, tokens - most_rows - 1, most_rows + 1), Lent::nothing);
}

TEST(PanelScores, OneListMakesRoomForAnother) {
    const int tokens = 30000, rows = 400;  // 48 MB
    const Problem problem = make_problem({.head_dim = 2, .seq_len = tokens, .construction = Gaussian{}});
    cpu::PanelScores<float> scores;
    for (const int first : {tokens - rows, tokens - rows - 1}) {
        EXPECT_EQ(lend(scores, problem, first, rows), Lent::nothing);
        EXPECT_EQ(lend(scores, problem, first, rows), Lent::room);
        scores.keep(1);
        EXPECT_EQ(lend(scores, problem, first, rows), Lent::scores);
    }
    EXPECT_EQ(lend(scores, problem, tokens - rows, rows), Lent::nothing);
}

class CachedScores : public testing::TestWithParam<Encoding> {};

/// Temperatures one after another give what each gives on its own, bit for bit: of every way in which rows are scanned.
TEST_P(CachedScores, GiveTheBitsOfAScan) {
    for (const Mask mask : {Mask::causal, Mask::none}) {
        Problem problem = make_problem(
            {.head_dim = 136, .seq_len = 700, .encoding = GetParam(), .construction = Gaussian{}, .mask = mask});
        const auto used = make_cpu_backend(2);
        const Viewport viewports[] = {{{0, 700}, {0, 700}, 31, 40},
                                      {.rows = {50, 690},
                                       .columns = {13, 650},
                                       .cells_down = 64,
                                       .cells_across = 27,
                                       .row_sampling = RowSampling::one_per_cell}};
        for (const double temperature : {1.0, 0.7, 0.5, 1e-4, 5.0, 0.31, 2.0}) {
            problem.temperature = temperature;
            for (const Viewport& viewport : viewports) {
                const AttentionView view = used->attend(problem, viewport, {}),
                                    fresh = make_cpu_backend(1)->attend(problem, viewport, {});
                EXPECT_EQ(view.logits.mean, fresh.logits.mean) << temperature;
                EXPECT_EQ(view.logits.min, fresh.logits.min) << temperature;
                EXPECT_EQ(view.logits.max, fresh.logits.max) << temperature;
                EXPECT_EQ(view.weights.mean, fresh.weights.mean) << temperature;
                EXPECT_EQ(view.weights.max, fresh.weights.max) << temperature;
                EXPECT_EQ(view.row_log_sum, fresh.row_log_sum) << temperature;
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Usual, CachedScores, testing::Values(Encoding(Rope{})));
INSTANTIATE_TEST_SUITE_P(Long, CachedScores,
                         testing::Values(Encoding(Alibi{}), Encoding(XPos{}),
                                         Encoding(SelfExtend{.group = 4, .window = 100}), Encoding(Sinusoidal{})));

TEST(PanelScores, AFactorBeyondFloatIsOneForDouble) {
    Problem problem = make_problem(30, 4);
    problem.inputs.q = problem.inputs.k = repeated_row({0, 0, 0, 0});
    problem.scale = 1e39;
    const AttentionView view = make_cpu_backend(1)->attend(problem, {{0, 30}, {0, 30}, 5, 5}, {});
    for (const double weight : view.weights.max) EXPECT_TRUE(std::isfinite(weight));
}

}  // namespace
}  // namespace ropewalk
