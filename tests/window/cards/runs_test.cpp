// The table of training runs: what it lists, sorting, the keyboard, and going back to a run.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <thread>

#include "app/figures/figure_list.h"
#include "app/window/cards/runs_card.h"
#include "core/experiment/settings.h"
#include "tests/window/main_window_fixture.h"

namespace ropewalk {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

constexpr auto small_run =
    "construction.recipe.layers=1 construction.recipe.heads=1 construction.recipe.head_dim=8 "
    "construction.recipe.width=16 construction.recipe.feed_forward=0 construction.recipe.batch=4 "
    "construction.recipe.steps=6 construction.layer=0 construction.head=0";

class RunsTest : public MainWindowTest {
  protected:
    RunsTest() : MainWindowTest("train-back") {
        session_.document.edit(changed(experiment(), small_run), Gesture::complete);
        robot_.settle();
    }

    /// Changes the recipe and trains it until all its steps are done.
    void train(const std::string& setting) {
        session_.document.edit(changed(experiment(), "construction.recipe." + setting), Gesture::complete);
        training_run_of(recipe())->train_to(recipe().steps);
        robot_.settle();
    }
    Recipe recipe() { return trained_head_of(experiment().construction)->recipe; }
    const RegisteredWidget* find(std::string_view id) { return gui_.ui().registry.find(id); }
    /// Returns the row of this test's run with a seed.
    const RegisteredWidget& row_of(int seed) {
        Recipe wanted = recipe();
        wanted.seed = seed;
        const auto all = listed_training_runs();
        for (std::size_t i = 0; i < all.size(); ++i)
            if (all[i].recipe == wanted)
                if (const auto* row = find(fmt::format("run.{}", i))) return *row;
        throw InputError(fmt::format("no row of seed {}", seed));
    }
    /// Returns the seeds of this test's rows, from the top.
    std::vector<int> seeds() {
        std::vector<int> seeds{11, 12, 13};
        std::sort(seeds.begin(), seeds.end(),
                  [&](int one, int other) { return row_of(one).rect.y < row_of(other).rect.y; });
        return seeds;
    }
};

TEST_F(RunsTest, ListsWhatTheRunsDifferInWithTheirScoresAndTime) {
    for (const int seed : {11, 12, 13}) train(fmt::format("seed={}", seed));
    robot_.key("Ctrl+R");
    const auto run = training_run_of(recipe());
    const BatchScore last = run->scores().back();
    EXPECT_THAT(row_of(13).label, HasSubstr("RoPE"));
    EXPECT_THAT(row_of(13).label, HasSubstr("seed 13"));
    EXPECT_THAT(row_of(13).value, StartsWith(fmt::format("{:.4f} | {:.3f} | 6 | ", last.loss, last.accuracy)));
    EXPECT_EQ(row_of(13).value.ends_with(" s"), run->summary().seconds.has_value());
    EXPECT_EQ(row_of(13).value.ends_with("from a file"), !run->summary().seconds.has_value());
    EXPECT_EQ(seeds(), (std::vector{11, 12, 13})) << "as they began";
    robot_.key("Esc");
    EXPECT_EQ(find("card.runs"), nullptr);
}

TEST_F(RunsTest, WhatDistinguishesTheEncodingsIsNamedFirst) {
    train("vocabulary=16");
    train("steps=5");
    train("encoding=p_rope construction.recipe.encoding.p=0.5");
    robot_.key("Ctrl+R");
    const std::string words(row_of(0).label);
    EXPECT_THAT(words, StartsWith("p-RoPE · "));
    ASSERT_THAT(words, HasSubstr("Fraction p 0.5"));
    ASSERT_THAT(words, HasSubstr("Vocabulary 16"));
    EXPECT_LT(words.find("Fraction p"), words.find("Vocabulary"));
    EXPECT_THAT(words, testing::Not(HasSubstr("Steps"))) << "they have a column";
}

TEST_F(RunsTest, AClickShowsTheRunAgain) {
    train("seed=11");
    const Experiment first = experiment();
    train("seed=12");
    const Experiment second = experiment();
    robot_.key("Ctrl+R");
    robot_.click(std::string(row_of(11).id));
    EXPECT_EQ(experiment(), first);
    EXPECT_NE(find("card.runs"), nullptr) << "other runs can be looked at";
    robot_.key("Esc");
    robot_.key("Ctrl+Z");
    EXPECT_EQ(experiment(), second);
}

TEST_F(RunsTest, TheKeyboardSortsSelectsAndShows) {
    for (const int seed : {11, 12, 13}) train(fmt::format("seed={}", seed));
    const auto loss_of = [&](int seed) {
        Recipe of_seed = recipe();
        of_seed.seed = seed;
        for (const RunSummary& run : listed_training_runs())
            if (run.recipe == of_seed) return run.last.loss;
        throw InputError("no such run");
    };
    robot_.key("Ctrl+R");
    robot_.click("runs.loss");
    EXPECT_EQ(find("runs.loss")->value, "smallest first");
    std::vector<int> by_loss{11, 12, 13};
    std::sort(by_loss.begin(), by_loss.end(), [&](int one, int other) { return loss_of(one) < loss_of(other); });
    EXPECT_EQ(seeds(), by_loss);
    robot_.click("runs.loss");
    std::reverse(by_loss.begin(), by_loss.end());
    EXPECT_EQ(seeds(), by_loss);
    robot_.click("runs.loss");
    EXPECT_EQ(seeds(), (std::vector{11, 12, 13}));
    robot_.hover("panel0.figure");
    robot_.key("End");
    robot_.key("Up");
    robot_.key("Up");
    robot_.key("Down");
    robot_.key("Enter");
    const auto all = listed_training_runs();
    EXPECT_EQ(recipe(), all[all.size() - 2].recipe);
    robot_.key("Ctrl+R");
    EXPECT_EQ(find("card.runs"), nullptr) << "the same keys close it";
}

TEST_F(RunsTest, PKeepsTheRunInItsFigures) {
    session_.document.view.figures[0] = TrainingFigure{};
    session_.document.view.figures[1] = LengthTestFigure{.sequences = 1};
    robot_.settle();
    const auto pins = [&] {
        const auto& figures = session_.document.view.figures;
        return std::pair(get<TrainingFigure>(figures[0]).pinned, get<LengthTestFigure>(figures[1]).pinned);
    };
    robot_.hover("panel0.figure");
    robot_.key("P");
    EXPECT_THAT(pins().first, HasSubstr("construction.recipe.steps=6"));
    EXPECT_EQ(pins().second, "");
    robot_.hover("panel1.figure");
    robot_.key("P");
    EXPECT_EQ(pins().second, pins().first);
    EXPECT_THAT(session_.document.steps().back(), testing::EndsWith(": Pin"));
    robot_.key("Ctrl+Z");
    EXPECT_EQ(pins().second, "");
    train("seed=14");
    for (int i = 0; i < 100 && (!find("panel0.chip0") || find("panel0.chip0")->rect.width == 0); ++i) robot_.rest(0.02);
    robot_.click("panel0.chip0");
    EXPECT_EQ(pins().first, "");
    EXPECT_THAT(session_.document.steps().back(), testing::EndsWith(": Unpin"));
}

TEST_F(RunsTest, TheStepsRangeSaysWhatItsFirstValueMeans) {
    robot_.hover("construction.step", 0.2, 0);
    robot_.rest(1);
    ASSERT_NE(find("tooltip"), nullptr);
    EXPECT_THAT(find("tooltip")->value, HasSubstr("\n−1 (last) … 100 000"));
}

TEST_F(RunsTest, FitsSmallWindows) {
    train("seed=11");
    for (const PixelSize size : {PixelSize{900, 600}, {400, 300}, {120, 90}}) {
        resize(size);
        robot_.key("Ctrl+R");
        EXPECT_NE(find("card.runs"), nullptr);
        robot_.key("Esc");
    }
}

}  // namespace
}  // namespace ropewalk
