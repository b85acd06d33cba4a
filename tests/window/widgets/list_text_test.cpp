// Lists of numbers in fields: short to read, and unedited numbers keep their digits.
#include "app/window/widgets/list_text.h"

#include <gtest/gtest.h>

#include "core/fields/fields.h"

namespace ropewalk {
namespace {

const std::vector<double> values{1.0 / 3, 0.1, 2.0 / 3e10, 1, -1.0 / 7};

TEST(ListText, IsReadable) {
    EXPECT_EQ(shown_list(values), "0.333333, 0.1, 6.66667e-11, 1, -0.142857");
    EXPECT_EQ(shown_list({0.015625, 123456.5, 1e-300}), "0.015625, 123456.5, 1e-300") << "all where they are few";
    EXPECT_EQ(shown_list({}), "");
}

TEST(ListText, UneditedNumbersKeepTheirDigits) {
    const auto edited = [](const std::string& text) {
        std::vector<double> parsed;
        EXPECT_FALSE(parse_leaf(text, parsed));
        return with_digits_of(values, parsed);
    };
    EXPECT_EQ(edited(shown_list(values)), values);
    EXPECT_EQ(edited("0.333333, 0.5, 6.66667e-11, 1, -0.142857"),
              (std::vector<double>{1.0 / 3, 0.5, 2.0 / 3e10, 1, -1.0 / 7}));
    EXPECT_EQ(edited("0.333333, 0.1, 9, 8, 6.66667e-11, 1, -0.142857"),
              (std::vector<double>{1.0 / 3, 0.1, 9, 8, 2.0 / 3e10, 1, -1.0 / 7}))
        << "numbers inserted in between";
    EXPECT_EQ(edited("-0.142857"), std::vector<double>{-1.0 / 7}) << "the others removed";
    EXPECT_EQ(edited("0.333"), std::vector<double>{0.333}) << "it was typed";
    EXPECT_EQ(edited(""), std::vector<double>{});
}

}  // namespace
}  // namespace ropewalk
