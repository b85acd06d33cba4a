// Views of numbers: what they keep alive, and that freed memory is not recognised.
#include "core/numbers/shared_numbers.h"

#include <gtest/gtest.h>

#include <array>
#include <vector>

namespace ropewalk {
namespace {

TEST(SharedNumbers, AreEqualIfTheyShowTheSameMemory) {
    const auto owner = std::make_shared<const std::vector<double>>(std::vector{1.0, 2.0, 3.0});
    const SharedNumbers all = owner, same = owner;
    EXPECT_EQ(all, same);
    EXPECT_NE(all, SharedNumbers(owner, std::span(*owner).first(2)));
    EXPECT_NE(all, SharedNumbers::of(std::vector{1.0, 2.0, 3.0}));
    EXPECT_FALSE(SharedNumbers());
}

TEST(SharedNumbers, KeepTheirOwnerAlive) {
    auto owner = std::make_shared<const std::vector<double>>(std::vector{1.0, 2.0});
    const std::weak_ptr<const std::vector<double>> watched = owner;
    {
        const SharedNumbers second(owner, std::span(*owner).last(1));
        owner.reset();
        EXPECT_FALSE(watched.expired());
        EXPECT_EQ((*second)[0], 2);
    }
    EXPECT_TRUE(watched.expired());
}

TEST(SharedNumbers, OfTheSamePlaceAreOthersOnceTheFirstAreFreed) {
    std::array<double, 2> place{1, 2};  // as if memory were freed and allocated again
    auto first = std::make_shared<const int>(0);
    const SharedNumbers::Weak remembered(SharedNumbers(first, place));
    EXPECT_TRUE(remembered == SharedNumbers(first, place));
    first.reset();
    EXPECT_TRUE(remembered.expired());
    EXPECT_FALSE(remembered == SharedNumbers(std::make_shared<const int>(0), place));
    EXPECT_FALSE(remembered == SharedNumbers());
    EXPECT_TRUE(SharedNumbers::Weak() == SharedNumbers());
}

}  // namespace
}  // namespace ropewalk
