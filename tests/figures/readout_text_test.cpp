// Readouts of figures: how they are split into labels and values, and how a changed value is shown.
#include "app/figures/parts/text/readout_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ropewalk {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(ReadoutText, ANumberHasTheWordsBeforeItAsItsLabel) {
    EXPECT_THAT(items_of_readout("r = 10   logit 20   expected −3.5 ± 2"),
                ElementsAre(ReadoutItem{"r", "10"}, ReadoutItem{"logit", "20"}, ReadoutItem{"expected", "−3.5 ± 2"}));
    EXPECT_THAT(items_of_readout("weight of key 7 = 0.5"), ElementsAre(ReadoutItem{"weight of key 7", "0.5"}));
    EXPECT_THAT(items_of_readout("∆logit ∞   floor −∞"),
                ElementsAre(ReadoutItem{"∆logit", "∞"}, ReadoutItem{"floor", "−∞"}));
    EXPECT_THAT(items_of_readout("r = −37   weight = masked"),
                ElementsAre(ReadoutItem{"r", "−37"}, ReadoutItem{"weight", "masked"}));
    EXPECT_THAT(items_of_readout(""), IsEmpty());
}

TEST(ReadoutText, AnItemThatBeginsWithANumberIsAllValue) {
    EXPECT_THAT(items_of_readout("20 861 turns   15 of 64 pairs"),
                ElementsAre(ReadoutItem{"", "20 861 turns"}, ReadoutItem{"", "15 of 64 pairs"}));
    EXPECT_THAT(items_of_readout("pair 3: 20 861 turns"), ElementsAre(ReadoutItem{"pair 3:", "20 861 turns"}));
}

TEST(ReadoutText, AnItemWithoutANumberIsAllValue) {
    EXPECT_THAT(items_of_readout("no distance wins"), ElementsAre(ReadoutItem{"", "no distance wins"}));
    EXPECT_THAT(items_of_readout("q: all of it"), ElementsAre(ReadoutItem{"", "q: all of it"}));
}

TEST(ReadoutText, WhatChangedStandsWithItsValueBefore) {
    const std::string text = changed_readout("r = 10   logit 20", "r = 10   logit −11.5");
    EXPECT_EQ(text, "r = 10   logit 20 → −11.5");
    const auto items = items_of_readout(text);
    ASSERT_EQ(items.size(), 2u);
    EXPECT_EQ(before_and_now(items[0]), std::pair(std::string(), std::string("10")));
    EXPECT_EQ(before_and_now(items[1]), std::pair(std::string("20  →  "), std::string("−11.5")));
    EXPECT_EQ(changed_readout("r = 10", "r = 10   logit 20"), "r = 10   logit 20") << "they do not correspond";
}

TEST(ReadoutText, AllGroupsOfANumberAreOneValue) {
    EXPECT_EQ(changed_readout("pair 26   wavelength 11 173 tokens", "pair 26   wavelength 268 283 tokens"),
              "pair 26   wavelength 11 173 → 268 283 tokens");
    EXPECT_EQ(changed_readout("wavelength 6 243 tokens", "wavelength 118 143 tokens"),
              "wavelength 6 243 → 118 143 tokens");
    EXPECT_EQ(changed_readout("wavelength 943.5 tokens   17.6 turns", "wavelength 1 118 143 tokens   1.109 turns"),
              "wavelength 943.5 → 1 118 143 tokens   17.6 → 1.109 turns");
    EXPECT_EQ(changed_readout("r = 1 024 of 4 096", "r = 128 of 4 096"), "r = 1 024 → 128 of 4 096");
}

TEST(ReadoutText, AnotherQuantityIsNotTheStateBefore) {
    EXPECT_EQ(changed_readout("r = 5   score 29.38", "r = 5   logit −43.5"), "r = 5   logit −43.5");
    EXPECT_EQ(changed_readout("weight masked   r = 2", "weight 0.5   r = 3"), "weight masked → 0.5   r = 2 → 3");
}

TEST(ReadoutText, AnotherPairIsNotTheStateBefore) {
    EXPECT_EQ(changed_readout("r = 6   score 0.9   pair 4   g = 0.5", "r = 6   score 0.7   pair 4   g = 0.1"),
              "r = 6   score 0.9 → 0.7   pair 4   g = 0.5 → 0.1");
    EXPECT_EQ(changed_readout("r = 6   score 0.9   pair 0   g = 0.5", "r = 6   score 0.7   pair 4   g = 0.1"),
              "r = 6   score 0.9 → 0.7   pair 4   g = 0.1");
    EXPECT_EQ(changed_readout("pair 3: 20 861 turns", "pair 3: 861 turns"), "pair 3: 20 861 → 861 turns");
}

}  // namespace
}  // namespace ropewalk
