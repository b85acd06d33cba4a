#include "app/window/session/step_name.h"

#include <gtest/gtest.h>

#include "app/figures/figure_list.h"
#include "app/figures/heads/target.h"
#include "core/constructions/construction_list.h"
#include "core/encodings/encoding_list.h"
#include "core/experiment/experiment.h"

namespace ropewalk {
namespace {

TEST(StepName, GivesTheNewValueOfTheFirstFieldThatDiffers) {
    EXPECT_EQ(step_name(Experiment{}, Experiment{}), "");
    EXPECT_EQ(step_name(Experiment{}, Experiment{.encoding = Rope{.base = 500'000}}), "Base θ: 500 000");
    EXPECT_EQ(step_name(Experiment{}, Experiment{.encoding = Yarn{}}), "Encoding: YaRN");
    EXPECT_EQ(step_name(Experiment{}, Experiment{.positions = {.stride = 7}}), "Position stride: 7 positions");
    EXPECT_EQ(step_name(Experiment{.positions = {.stride = 7}}, Experiment{}), "Position stride: 1 position");
}

TEST(StepName, NamesThePartOfAList) {
    const auto step = [](std::vector<double> before, std::vector<double> after) {
        return step_name(Experiment{.construction = Bands{.amplitudes = std::move(before)}},
                         Experiment{.construction = Bands{.amplitudes = std::move(after)}});
    };
    EXPECT_EQ(step({1, 1, 1, 1}, {1, 1, 2, 1}), "Amplitudes aₜ: 2");
    EXPECT_EQ(step({1, 1, 1, 1, 1}, {1, 3, 1, 2, 1}), "Amplitudes aₜ: 1 to 3");
    EXPECT_EQ(step({1}, {1, 1, 5, 1}), "Amplitudes aₜ: 2") << "one number stands for all";
    EXPECT_EQ(step({1, 1}, {2, 2}), "Amplitudes aₜ");
}

TEST(StepName, CountsThePointsOfAList) {
    const auto step = [](std::vector<double> before, std::vector<double> after) {
        return step_name(TargetFigure{.points = std::move(before)}, TargetFigure{.points = std::move(after)});
    };
    EXPECT_EQ(step({0, 1, 8, 0}, {0, 1, 4, 2, 8, 0}), "3 points");
    EXPECT_EQ(step({0, 1, 8, 0}, {0, 1, 8, 1}), "2 points") << "one of them was moved";
    EXPECT_EQ(step({0, 1, 8, 0}, {8, 0}), "1 point");
    EXPECT_EQ(step({0, 1}, {}), "no points");
}

}  // namespace
}  // namespace ropewalk
