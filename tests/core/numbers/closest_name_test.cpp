#include "core/text/closest_name.h"

#include <gtest/gtest.h>

#include <vector>

namespace ropewalk {
namespace {

const std::vector<std::string> commands{"figure", "data", "screenshot", "list", "check", "bench"};

TEST(ClosestName, IsFewEditsAway) {
    EXPECT_EQ(closest_name("figur", commands), "figure") << "left out";
    EXPECT_EQ(closest_name("figgure", commands), "figure") << "put in";
    EXPECT_EQ(closest_name("chock", commands), "check") << "changed";
    EXPECT_EQ(closest_name("dtaa", commands), "data") << "swapped";
    EXPECT_EQ(closest_name("list", commands), "list");
}

TEST(ClosestName, IsNoGuess) {
    EXPECT_EQ(closest_name("million", commands), "");
    EXPECT_EQ(closest_name("", commands), "");
    EXPECT_EQ(closest_name("do", commands), "") << "a third of two letters is none";
    EXPECT_EQ(closest_name(std::string(100000, 'x'), commands), "");
    EXPECT_EQ(closest_name("figur", {}), "");
}

}  // namespace
}  // namespace ropewalk
