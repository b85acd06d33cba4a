#include "core/text/utf8.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ropewalk {
namespace {

TEST(Utf8, WhatControlsATerminalIsWrittenOut) {
    EXPECT_EQ(printable("a\x1b[31m\x07\x7f\r\n\tb"), "a\\x1b[31m\\x07\\x7f\\x0d\n\\x09b");
    EXPECT_EQ(printable("\xc2\x9b"
                        "31m"),
              "\\x9b31m")
        << "a control sequence in one character";
    EXPECT_EQ(printable("a\xe2\x80\xae"
                        "cba"),
              "a\\u202ecba")
        << "reverses the text after it";
    EXPECT_EQ(printable("θ = 500 000, “é”, 😀"), "θ = 500 000, “é”, 😀");
    EXPECT_EQ(printable("a\xff"
                        "b\xe2\x82"),
              "a\uFFFDb\uFFFD\uFFFD");
    EXPECT_EQ(printable(std::string("a\0b", 3)), "a\\x00b");
}

TEST(Utf8, LongTextsLoseTheirMiddle) {
    EXPECT_EQ(brief("short\ntext"), "short text");
    const std::string long_one = brief("begin" + std::string(100'000, 'x') + "end", 40);
    EXPECT_THAT(long_one, testing::StartsWith("begin"));
    EXPECT_THAT(long_one, testing::EndsWith("end"));
    EXPECT_LE(long_one.size(), 50u);
    EXPECT_LE(brief(std::string(1000, '\x1b'), 40).size(), 50u) << "each is shown as four characters";
    std::string letters;
    for (int i = 0; i < 100; ++i) letters += "é😀";
    for (std::size_t most = 0; most < 30; ++most) EXPECT_TRUE(is_utf8(brief(letters, most))) << most;
    for (std::size_t most = 0; most < 30; ++most)
        EXPECT_EQ(brief(letters, most).find("\uFFFD"), std::string::npos) << "a character was cut at " << most;
}

}  // namespace
}  // namespace ropewalk
