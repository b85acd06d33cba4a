#include "core/machine/parallel.h"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <vector>

namespace ropewalk {
namespace {

TEST(Parallel, InOrderBeginsEveryPartOnceAndPassesOnWhatOneThrows) {
    std::vector<std::atomic<int>> visits(100);
    run_with_threads(3, [&] { for_each_in_order(100, [&](int i) { ++visits[static_cast<std::size_t>(i)]; }); });
    for (const std::atomic<int>& count : visits) EXPECT_EQ(count, 1);
    EXPECT_THROW(for_each_in_order(9,
                                   [](int i) {
                                       if (i == 4) throw std::runtime_error("the fifth");
                                   }),
                 std::runtime_error);
    for_each_in_order(0, [](int) { FAIL(); });
}

}  // namespace
}  // namespace ropewalk
