// Paragraphs of lessons: emphasis, formulas and signs that are only text.
#include "app/lessons/lesson_text.h"

#include <gtest/gtest.h>

#include <ctime>
#include <string>

namespace ropewalk {
namespace {

TEST(LessonText, AFormulaIsKeptAndADollarSignIsNone) {
    const Paragraph paragraph = parse_paragraph("$a*b$ for \\$5 *or* 6$, $\\frac{c}{d}$ = e");
    ASSERT_EQ(paragraph.size(), 3u);
    EXPECT_EQ(paragraph[0].text, "$a*b$ for \\$5 ");
    EXPECT_EQ(paragraph[1].text, "or");
    EXPECT_TRUE(paragraph[1].is_emphasised);
    EXPECT_EQ(paragraph[2].text, " 6$, $\\frac{c}{d}$\u00a0=\u00a0e");
}

TEST(LessonText, ManyDollarSignsAreReadInTimeProportionalToTheirNumber) {
    for (const std::string repeated : {"$", "$$a", "$ ", "\\$", "$a$a", "$a$ ", "$1$1"}) {
        std::string text;
        while (text.size() < std::size_t{1} << 16) text += repeated;
        const std::clock_t begin = std::clock();
        EXPECT_FALSE(parse_paragraph(text).empty());
        EXPECT_LT(static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC, 1) << repeated;
    }
}

}  // namespace
}  // namespace ropewalk
