#include "app/window/main_window/readable_times.h"

#include <gtest/gtest.h>

namespace ropewalk {
namespace {

std::shared_ptr<const Results> results_with(std::vector<StageTime> times) {
    auto results = std::make_shared<Results>();
    results->times = std::move(times);
    return results;
}

TEST(ReadableTimes, NameEveryStageOnceAndItsPartsOnRequest) {
    WorkerState state;
    EXPECT_EQ(readable_times(state, TimeDetail::parts), "");
    state.results = results_with({{"attention", 8.25, {{"rotation", 1.5}, {"products", 6.75}, {"cells", 0.001}}},
                                  {"decay", 0.5},
                                  {"attention", 2, {{"products", 2}}}});
    EXPECT_EQ(readable_times(state, TimeDetail::stages), "attention 10.2 ms, decay 0.5 ms");
    EXPECT_EQ(readable_times(state, TimeDetail::parts),
              "attention 10.2 ms (rotation 1.5 + products 8.75), decay 0.5 ms");
    state.coarse = results_with({});
    EXPECT_EQ(readable_times(state, TimeDetail::parts), "preview");
    state.coarse = results_with({{"rows", 3}});
    EXPECT_EQ(readable_times(state, TimeDetail::stages), "preview: rows 3 ms");
    state.coarse = nullptr, state.results = results_with({});
    EXPECT_EQ(readable_times(state, TimeDetail::stages), "up to date");
}

}  // namespace
}  // namespace ropewalk
