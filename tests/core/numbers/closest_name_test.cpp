#include "core/text/closest_name.h"

#include <gtest/gtest.h>

#include <vector>

namespace ropewalk {
namespace {

const std::vector<std::string> names{"figure", "data", "screenshot", "list", "check", "bench"};

TEST(ClosestName, IsFewEditsAway) {
    EXPECT_EQ(closest_name("figur", names), "figure") << "left out";
    EXPECT_EQ(closest_name("figgure", names), "figure") << "put in";
    EXPECT_EQ(closest_name("chock", names), "check") << "changed";
    EXPECT_EQ(closest_name("dtaa", names), "data") << "swapped";
    EXPECT_EQ(closest_name("list", names), "list");
}

TEST(ClosestName, IsNoGuess) {
    EXPECT_EQ(closest_name("million", names), "");
    EXPECT_EQ(closest_name("", names), "");
    EXPECT_EQ(closest_name("do", names), "") << "a third of two letters is none";
    EXPECT_EQ(closest_name(std::string(100000, 'x'), names), "");
    EXPECT_EQ(closest_name("figur", {}), "");
}

}  // namespace
}  // namespace ropewalk
