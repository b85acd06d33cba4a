#include "core/io/json_reader.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <ctime>
#include <functional>
#include <limits>

#include "core/error.h"
#include "core/io/files.h"
#include "core/numbers/numbers.h"
#include "tests/temporary_folder.h"

namespace ropewalk {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

std::string rejection(const std::string& text) {
    try {
        parse_json(text, "x.json");
    } catch (const InputError& error) {
        return error.what();
    }
    return "(accepted)";
}

std::string nested(std::size_t depth) {
    return std::string(depth, '[') + std::string(depth, ']');
}

std::string array_of(std::size_t size) {
    std::string text = "[0";
    for (std::size_t i = 1; i < size; ++i) text += ",0";
    return text + "]";
}

TEST(JsonReader, ReadsWhatTheLibraryReads) {
    for (const char* text : {"null", " true ", "-0", "1e308", "\"θ \\u00e9 \\ud83d\\ude00\"", "[]", "{}",
                             "[1, [2.5, {\"a\": null}], \"b\"]",
                             R"({"a": {"b": [1, 2, {"c": -3}]}, "d": 18446744073709551615, "e": [], "f": {}})"})
        EXPECT_EQ(parse_json(text, "x"), nlohmann::json::parse(text)) << text;
}

TEST(JsonReader, ReadsManyObjectsInTimeThatGrowsWithTheirNumber) {
    const auto seconds = [](int count) {
        std::string text = "{\"0\": {}";
        for (int i = 1; i < count; ++i) text += fmt::format(", \"{}\": {{}}", i);
        const auto start = std::clock();  // of this process: others do not count
        EXPECT_EQ(parse_json(text + "}", "x").size(), static_cast<std::size_t>(count));
        return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    };
    EXPECT_LT(seconds(60'000), 60 * seconds(6'000));  // ten times as many: over 200 times as long where it is quadratic
}

TEST(JsonReader, LongRunsOfWhiteSpaceChangeNothing) {
    const std::string blanks(3000, ' '), breaks = "\r\n\t" + std::string(3000, '\n') + " \t ";
    const nlohmann::json expected{{"a" + blanks, {1, blanks}}, {"b", -2.5}};
    EXPECT_EQ(
        parse_json(breaks + "{" + breaks + "\"a" + blanks + "\"" + breaks + ":" + breaks + "[1" + breaks + "," +
                       breaks + "\"" + blanks + "\"" + breaks + "]," + breaks + "\"b\":-2.5" + breaks + "}" + breaks,
                   "x.json"),
        expected);
}

TEST(JsonReader, SaysWhereAndWhat) {
    EXPECT_THAT(rejection(""), AllOf(HasSubstr("x.json"), HasSubstr("is empty")));
    EXPECT_THAT(rejection("\xef\xbb\xbf{}"), StartsWith("x.json: starts with a byte-order mark"));
    EXPECT_EQ(
        rejection("{\"a\": 1} x"),
        "x.json: line 1, column 10: not valid JSON: found an unknown word or character; expected the end of the text");
    EXPECT_EQ(rejection("{\"a\": 1,\n \"θ\": 2,\n}"),
              "x.json: line 3, column 1: not valid JSON: found '}'; expected a text in quotes");
    EXPECT_EQ(rejection("{\"θ\" 2}"), "x.json: line 1, column 6: not valid JSON: found a number; expected ':'");
    EXPECT_EQ(rejection("[1 \"a\"]"),
              "x.json: line 1, column 6: not valid JSON: found a text in quotes; expected ',' or ']'");
    EXPECT_EQ(rejection("[1,]"), "x.json: line 1, column 4: not valid JSON: found ']'; expected a value");
    EXPECT_EQ(rejection("NaN"),
              "x.json: line 1, column 1: not valid JSON: found an unknown word or character; expected a value");
    EXPECT_EQ(rejection("{\"a\": [1,\n"),
              "x.json: line 2, column 1: not valid JSON: found the end of the text; expected a value");
    EXPECT_EQ(rejection("[" + std::string(5000, '\n') + " x" + std::string(5000, '\n') + "]"),
              "x.json: line 5001, column 2: not valid JSON: found an unknown word or character; expected a value");
    EXPECT_THAT(rejection("[-a]"), HasSubstr("not valid JSON: invalid number; expected digit after '-'"));
    EXPECT_THAT(rejection("[-a]"), Not(HasSubstr("last read")));
    EXPECT_THAT(rejection("[\"; expected x\n\"]"), Not(HasSubstr("; expected x")));
    EXPECT_THAT(rejection("{} {}"), HasSubstr("expected the end of the text"));
    EXPECT_THAT(rejection(std::string("{}\0garbage", 10)), AllOf(StartsWith("x.json: byte 2:"), HasSubstr("NUL")));
    EXPECT_THAT(rejection("{\"a\": 1, \"b\": {\"a\": 2}, \"a\": 3}"),
                AllOf(StartsWith("x.json: line 1, column 27:"), HasSubstr("\"a\" occurs twice")));
    const std::string longest(std::size_t{1} << 16, 'a');
    EXPECT_EQ(rejection("{\"" + longest + "\": 1}"), "(accepted)");
    EXPECT_EQ(rejection("{\"a" + longest + "\": 1}"),
              "x.json: line 1, column 65540: a key has 65537 bytes; it must have at most 65536");
    EXPECT_THAT(rejection("[1, 1e400]"), HasSubstr("the number is too large"));
    EXPECT_THAT(rejection("[1, -1e400]"), HasSubstr("the number is too large"));
    EXPECT_THAT(rejection("[\"\xff\"]"), HasSubstr("UTF-8"));
    EXPECT_THAT(rejection("[\"\xed\xa0\x80\"]"), HasSubstr("UTF-8"));
    EXPECT_THAT(rejection("[1,"), HasSubstr("found the end of the text"));
    EXPECT_THAT(rejection("// no\n{}"), HasSubstr("not valid JSON"));
    EXPECT_THAT(rejection("<!doctype html>"), HasSubstr("HTML page"));
    for (const char* text :
         {"NaN", "[Infinity]", "{a: 1}", "{'a': 1}", "[1,]", "01", "+1", "[1 2]", "{\"a\"}", "]", "\"\t\"", "\"\\x\""})
        EXPECT_THAT(rejection(text), HasSubstr("not valid JSON")) << text;
}

TEST(JsonReader, LimitsHoldExactly) {
    EXPECT_EQ(rejection(nested(64)), "(accepted)");
    EXPECT_THAT(rejection(nested(65)),
                AllOf(StartsWith("x.json: line 1, column 65:"), HasSubstr("nested deeper than 64")));
    EXPECT_THAT(rejection(std::string(1'000'000, '[')), HasSubstr("nested deeper"));
    EXPECT_EQ(rejection(array_of(199'998)), "(accepted)");
    EXPECT_THAT(rejection(array_of(199'999)), HasSubstr("more than 200000 values"));
    const std::string most(16u << 20, ' ');
    EXPECT_EQ(rejection(most.substr(1) + "1"), "(accepted)");
    EXPECT_THROW(parse_json(most + "1", "x"), LimitError);
}

TEST(JsonReader, LimitsCanBeOthers) {
    const JsonLimits large{32u << 20, 400'000};
    EXPECT_EQ(parse_json(array_of(300'000), "x", large).size(), 300'000u);
    EXPECT_THROW(parse_json(array_of(400'000), "x", large), InputError);
    EXPECT_EQ(parse_json(std::string(20u << 20, ' ') + "1", "x", large), 1);
    JsonLimits few_members = large;
    few_members.members = 2;
    EXPECT_EQ(parse_json(R"([{"a": 1, "b": 2}, {"a": 1}])", "x", few_members).size(), 2u);
    try {
        parse_json(R"({"a": 1, "b": 2, "c": 3})", "x", few_members);
        FAIL();
    } catch (const InputError& error) {
        EXPECT_STREQ(error.what(),
                     "x: line 1, column 20: an object has more than 2 members; save large arrays as .npy files");
    }
    try {
        parse_json("[1, 2]", "x", {4, 9, "; shorten it"});
        FAIL();
    } catch (const LimitError& error) {
        EXPECT_STREQ(error.what(), "x: has 6 bytes, more than the limit of 4; shorten it");
    }
}

class Access : public testing::Test {
  protected:
    std::string rejection(const std::function<void(const JsonValue&)>& use) const {
        try {
            use(JsonValue(document_, "x.json"));
        } catch (const InputError& error) {
            return error.what();
        }
        return "(accepted)";
    }

    nlohmann::json document_ = {{"n", 3},
                                {"f", 3.5},
                                {"whole", 3.0},
                                {"negative", -1},
                                {"text", "3"},
                                {"yes", true},
                                {"nan", "NaN"},
                                {"minus", "-Infinity"},
                                {"big", 18446744073709551615u},
                                {"huge", 1e300},
                                {"a/b~c", {{"list", {1, 2}}}}};
    JsonValue root_{document_, "x.json"};
};

TEST_F(Access, ReadsWhatFits) {
    EXPECT_EQ(root_.at("n").integer(1, 3), 3);
    EXPECT_EQ(root_.at("whole").integer(3, 3), 3);
    EXPECT_EQ(root_.at("negative").integer(-5, 5), -1);
    EXPECT_EQ(root_.at("f").number(), 3.5);
    EXPECT_EQ(root_.at("n").number(), 3);
    EXPECT_TRUE(std::isnan(root_.at("nan").number()));
    EXPECT_EQ(root_.at("minus").number(), -infinity);
    EXPECT_TRUE(root_.at("yes").boolean());
    EXPECT_EQ(root_.at("text").text(), "3");
    EXPECT_TRUE(root_.contains("n"));
    EXPECT_FALSE(root_.contains("m"));
    EXPECT_FALSE(root_.at("n").contains("m"));
}

TEST_F(Access, RefusesWhatDoesNot) {
    EXPECT_EQ(rejection([](const JsonValue& root) { root.at("n").integer(4, 9); }),
              "x.json: /n: must be a whole number from 4 to 9, but is 3");
    EXPECT_EQ(rejection([](const JsonValue& root) { root.at("a/b~c").at("list").integer(4, 9); }),
              "x.json: /a~1b~0c/list: must be a whole number from 4 to 9, but is an array");
    for (const char* key : {"f", "text", "yes", "nan", "big", "huge"})
        EXPECT_THAT(rejection([&](const JsonValue& root) {
                        root.at(key).integer(0, std::numeric_limits<std::int64_t>::max());
                    }),
                    HasSubstr("must be a whole number"))
            << key;
    EXPECT_THAT(rejection([](const JsonValue& root) { root.at("negative").integer(0, 300); }), HasSubstr("but is -1"));
    EXPECT_THAT(rejection([](const JsonValue& root) { root.at("yes").number(); }),
                HasSubstr("must be a number, but is true"));
    EXPECT_THAT(rejection([](const JsonValue& root) { root.at("text").number(); }), HasSubstr("but is \"3\""));
    EXPECT_THAT(rejection([](const JsonValue& root) { root.at("n").boolean(); }), HasSubstr("must be true or false"));
    EXPECT_THAT(rejection([](const JsonValue& root) { root.at("n").text(); }), HasSubstr("must be a text"));
    EXPECT_EQ(rejection([](const JsonValue& root) { root.at("m"); }), "x.json: /: has no member 'm'; add it");
    EXPECT_THAT(rejection([](const JsonValue& root) { root.at("n").at("m"); }),
                HasSubstr("must be an object, but is 3"));
}

TEST(JsonReader, NumbersComeBack) {
    for (const double value : {0.0, -0.0, 0.1, 1e308, 5e-324, infinity, -infinity}) {
        const nlohmann::json back = parse_json(json_number(value).dump(), "x");
        EXPECT_EQ(JsonValue(back, "x").number(), value);
    }
    EXPECT_EQ(json_number(std::nan("")), "NaN");
}

}  // namespace
}  // namespace ropewalk
