// One description of fields: validation, text, hashing, and what follows from it.
#include "core/fields/fields.h"

#include <gtest/gtest.h>

#include <limits>
#include <set>

#include "core/constructions/construction_list.h"
#include "core/encodings/encoding_list.h"
#include "core/experiment/experiment.h"
#include "core/experiment/scene_io.h"
#include "core/fields/fields_io.h"

namespace ropewalk {
namespace {

TEST(Fields, DefaultsAreValid) {
    EXPECT_EQ(validate(Experiment{}).value_or(""), "");
}

TEST(Fields, SentencesNameTheFieldItsValueAndWhatWouldDo) {
    EXPECT_EQ(validate(Experiment{.head_dim = 63}).value_or(""),
              "head_dim is 63; it must be an even number from 2 to 1024");
    EXPECT_EQ(validate(Experiment{.seq_len = 0}).value_or(""),
              "seq_len is 0; it must be a whole number from 1 to 1048576");
    EXPECT_EQ(validate(Experiment{.encoding = Rope{.base = -3}}).value_or(""),
              "encoding.base is -3; it must be a number from 1 to 1e+15");
    EXPECT_EQ(validate(Experiment{.temperature = NAN}).value_or(""),
              "temperature is NaN; it must be a number from 1e-06 to 1000000");
    EXPECT_EQ(validate(Experiment{.temperature = INFINITY}).value_or(""),
              "temperature is Infinity; it must be a number from 1e-06 to 1000000");
    EXPECT_EQ(validate(Experiment{.construction = Bands{.amplitudes = {1, NAN}}}).value_or("").substr(0, 35),
              "construction.amplitudes[1] is NaN; ");
}

TEST(Fields, ATextThatIsNoSuchNumberIsToldTheLimits) {
    const auto refusal = [](const char* setting) -> std::string {
        Experiment experiment;
        try {
            apply_setting(experiment, setting, {});
        } catch (const InputError& error) {
            return error.what();
        }
        return "accepted";
    };
    EXPECT_EQ(refusal("seq_len=99999999999999999999"),
              "seq_len is '99999999999999999999'; it must be a whole number from 1 to 1048576");
    EXPECT_EQ(refusal("seq_len=3000000000"), "seq_len is '3000000000'; it must be a whole number from 1 to 1048576");
    EXPECT_EQ(refusal("head_dim=many"), "head_dim is 'many'; it must be an even number from 2 to 1024");
    EXPECT_EQ(refusal("seed=-99999999999999999999"),
              "seed is '-99999999999999999999'; it must be a whole number from 0 to 9007199254740991");
    EXPECT_EQ(refusal("temperature=1e999"), "temperature is '1e999'; it must be a number from 1e-06 to 1000000");
    EXPECT_EQ(refusal("mask=diagonal"), "mask is 'diagonal'; it must be 'causal', 'none' or 'window'");
    EXPECT_EQ(refusal("mask=casual"), "mask is 'casual'; did you mean 'causal'?");
    EXPECT_EQ(refusal("encoding=ropee"), "encoding is 'ropee'; did you mean 'rope'?");
}

TEST(Fields, ANumberThatMayNotBeWholeIsToldTheLimits) {
    const Field field{.min = 2, .max = 1024, .step = 2};
    EXPECT_EQ(check_whole("d", field, 64), std::nullopt);
    EXPECT_EQ(check_whole("d", field, 63).value_or(""), "d is 63; it must be an even number from 2 to 1024");
    EXPECT_EQ(check_whole("d", field, 2.5).value_or(""), "d is 2.5; it must be an even number from 2 to 1024");
    EXPECT_EQ(check_whole("d", field, 1e20).value_or(""), "d is 1e+20; it must be an even number from 2 to 1024");
    EXPECT_EQ(check_whole("d", field, infinity).value_or(""),
              "d is Infinity; it must be an even number from 2 to 1024");
}

TEST(Fields, AnIntegerWithoutLimitsIsAccepted) {
    for (const std::int64_t value : {std::int64_t{-3}, std::int64_t{1} << 60})
        EXPECT_EQ(check_leaf("n", Field{}, value), std::nullopt) << value;
    EXPECT_EQ(check_leaf("n", Field{.step = 2}, 3).value_or(""), "n is 3; it must be an even number");
    EXPECT_EQ(check_leaf("n", Field{.max = 2}, 3).value_or(""), "n is 3; it must be a whole number of at most 2");
    EXPECT_EQ(check_leaf("n", Field{.min = 4}, 3).value_or(""), "n is 3; it must be a whole number of at least 4");
    EXPECT_EQ(check_leaf("x", Field{}, nan).value_or(""), "x is NaN; it must be a number");
    for (const double json : {-3.0, 2'147'483'647.0, 2'147'483'648.0}) {
        int value = 0;
        Warnings warnings;
        const nlohmann::json number = json;
        const auto read = [&] { from_json(JsonValue(number, "f"), Field{}, &value, {}, warnings); };
        if (json > std::numeric_limits<int>::max())
            EXPECT_THROW(read(), InputError);
        else
            EXPECT_EQ((read(), value), json);
    }
}

TEST(Fields, EveryOneIsDescribed) {
    const auto described = [](const std::string& path, const Field& field) {
        EXPECT_NE(std::string(field.label), "") << path;
        EXPECT_NE(std::string(field.help), "") << path;
    };
    Experiment experiment;
    for (const Encoding& encoding : alternatives_of<Encoding>()) {
        experiment.encoding = encoding;
        std::set<std::string> paths;
        walk_fields(experiment, [&](const std::string& path, const Field& field, const auto&) {
            described(path, field);
            EXPECT_TRUE(paths.insert(path).second) << path << " is there twice";
        });
    }
    for (const Construction& construction : alternatives_of<Construction>()) {
        experiment.construction = construction;
        walk_fields(experiment,
                    [&](const std::string& path, const Field& field, const auto&) { described(path, field); });
    }
}

TEST(Fields, HaveControlsWhereTheyMatter) {
    const auto has_control = [](const Experiment& experiment, std::string_view wanted) {
        bool found = false;
        walk_fields(experiment, [&](const std::string& path, const Field& field, const auto&) {
            found |= path == wanted && field.in_controls;
        });
        return found;
    };
    EXPECT_FALSE(has_control({}, "window"));
    EXPECT_FALSE(has_control({.mask = Mask::none}, "window"));
    EXPECT_TRUE(has_control({.mask = Mask::window}, "window"));
    EXPECT_FALSE(has_control({.scale = Scale::sqrt_d}, "scale_value"));
    EXPECT_TRUE(has_control({.scale = Scale::value}, "scale_value"));
}

TEST(Fields, NumbersAreReadWholeOrNotAtAll) {
    double number = 7;
    for (const char* nonsense : {"", " ", "1x", "--1", "1,5", "0x10", "1 2"})
        EXPECT_TRUE(parse_leaf(nonsense, number).has_value()) << nonsense;
    EXPECT_EQ(number, 7);
    EXPECT_FALSE(parse_leaf("-2.5e3", number).has_value());
    EXPECT_EQ(number, -2500);
    int whole = 0;
    EXPECT_FALSE(parse_leaf("1e6", whole).has_value());
    EXPECT_EQ(whole, 1'000'000);
    for (const char* nonsense : {"2.5", "4294967296", "1e300", "nan"})
        EXPECT_TRUE(parse_leaf(nonsense, whole).has_value()) << nonsense;
    std::vector<double> list;
    EXPECT_FALSE(parse_leaf("1, 1.75,2.5", list).has_value());
    EXPECT_EQ(list, (std::vector<double>{1, 1.75, 2.5}));
    EXPECT_TRUE(parse_leaf("1,,2", list).has_value());
    EXPECT_EQ(list.size(), 3u);
    EXPECT_FALSE(parse_leaf("", list).has_value());
    EXPECT_TRUE(list.empty());
    EXPECT_TRUE(check_leaf("list", Field{}, list).has_value());
    EXPECT_FALSE(check_leaf("list", Field{.may_be_empty = true}, list).has_value());
    Mask mask = Mask::causal;
    EXPECT_EQ(parse_leaf("diagonal", mask).value_or(""), "'causal', 'none' or 'window'");
}

TEST(Fields, TextReadsBackEqual) {
    for (const double value : {0.1, 1e-300, 12345678.9, -0.0, 1e22, 2.0 / 3}) {
        double back = 0;
        ASSERT_FALSE(parse_leaf(text_of(value), back).has_value());
        EXPECT_EQ(back, value);
    }
}

TEST(Fields, TextsAreUtf8OfAtMost4096Bytes) {
    const auto complaint = [](std::string text) {
        return validate(Experiment{.construction = Text{.text = std::move(text)}}).value_or("");
    };
    EXPECT_EQ(complaint(""), "");
    EXPECT_EQ(complaint("it’s Äpfel, 猫, 🙂 and \xF4\x8F\xBF\xBF"), "");
    EXPECT_EQ(complaint(std::string(4096, 'a')), "");
    EXPECT_EQ(complaint(std::string(4097, 'a')), "construction.text has 4097 bytes; it must have at most 4096");
    // A lone continuation, a cut sequence, overlong forms, a surrogate, beyond U+10FFFF, bytes that never occur.
    for (const char* broken : {"\x80", "a\xC3", "\xE2\x82", "\xC0\xAF", "\xE0\x9F\xBF", "\xF0\x8F\xBF\xBF",
                               "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xFF", "\xC3("})
        EXPECT_EQ(complaint(broken), "construction.text is not UTF-8; it must be text");
}

TEST(Fields, AListInATextHasALimitOfEntries) {
    const auto complaint = [](const std::string& text, std::size_t most) {
        return check_leaf("list", Field{.most_entries = most}, text).value_or("");
    };
    for (const char* text : {"", "a", "a|-", "a | 'b | c' | |"}) EXPECT_EQ(complaint(text, 2), "") << text;
    EXPECT_EQ(complaint("a | b|-", 2), "list has 3 entries; it must have at most 2");
    EXPECT_EQ(complaint("a | b|-", 0), "") << "no list, or one of any length";
}

TEST(Fields, HashFollowsTheValue) {
    const Experiment a, b{.seed = 1}, c{.encoding = Rope{.base = 10'001}}, d{.construction = Gaussian{}};
    EXPECT_EQ(hash_fields(a), hash_fields(Experiment{}));
    EXPECT_EQ((std::set{hash_fields(a), hash_fields(b), hash_fields(c), hash_fields(d)}.size()), 4u);
    EXPECT_NE(hash_fields(Text{.text = "a"}), hash_fields(Text{.text = "b"}));
}

}  // namespace
}  // namespace ropewalk
