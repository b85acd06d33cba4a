#include "app/window/step_name.h"

#include <gtest/gtest.h>

#include "core/experiment.h"

namespace ropewalk {
namespace {

TEST(StepName, SaysWhatTheFirstFieldThatDiffersHasBecome) {
    EXPECT_EQ(step_name(Experiment{}, Experiment{}), "");
    EXPECT_EQ(step_name(Experiment{}, Experiment{.encoding = Rope{.base = 500'000}}), "Base θ: 500 000");
    EXPECT_EQ(step_name(Experiment{}, Experiment{.encoding = Yarn{}}), "Encoding: YaRN");
    EXPECT_EQ(step_name(Experiment{}, Experiment{.positions = {.stride = 7}}), "Position stride: 7 tokens");
    EXPECT_EQ(step_name(Experiment{.positions = {.stride = 7}}, Experiment{}), "Position stride: 1 token");
}

}  // namespace
}  // namespace ropewalk
