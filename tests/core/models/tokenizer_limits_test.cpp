// Hostile patterns, long texts and tokenizers of very many parts: each ends soon, most with a sentence.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/models/tokenizer/regex.h"
#include "tests/core/models/small_tokenizer.h"
#include "tests/temporary_folder.h"

namespace ropewalk {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::StartsWith;

/// Runs `work`. Returns its seconds of processor time, since others may keep the machine busy, and its LimitError.
std::pair<double, std::string> limited(const std::function<void()>& work) {
    const std::clock_t begin = std::clock();
    std::string sentence;
    try {
        work();
    } catch (const LimitError& error) {
        sentence = error.what();
    }
    return {static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC, sentence};
}

TEST(TokenizerLimits, HostilePatternsEndWithASentence) {
    // The end has what the patterns need, so that the engine cannot rule out a match without trying.
    const std::string text = std::string(200'000, 'a') + "b z =x";
    for (const char* pattern :
         {"(a|a)*z", "(a+)+z", "(((a{0,100}){0,100}){0,100})z", "a*a*a*a*a*a*z", ".*.*.*.*=x\\d", "(a*)*\\1z"}) {
        json document = small_document();
        document["pre_tokenizer"]["pattern"]["Regex"] = pattern;
        const auto [seconds, sentence] = limited([&] { tokenizer_of(document).encode(text); });
        EXPECT_THAT(sentence, StartsWith("tokenizer.json: /pre_tokenizer/pattern/Regex: the pattern takes too long on "
                                         "this text"))
            << pattern;
        EXPECT_LT(seconds, 30) << pattern;  // 5 and one search, on a busy machine
    }
    const Regex pattern("a", "here");
    EXPECT_EQ(pattern.spans("ba", Deadline::max()), (std::vector<RegexSpan>{{0, 1, false}, {1, 2, true}}));
    EXPECT_THAT(limited([&] { pattern.spans("ba", std::chrono::steady_clock::now()); }).second,
                StartsWith("here: the pattern takes too long"));
    json document = small_document();
    document["pre_tokenizer"]["pattern"]["Regex"] = std::string(4000, '(') + "a" + std::string(4000, ')');
    EXPECT_EQ(limited([&] { tokenizer_of(document); }).second,
              "tokenizer.json: /pre_tokenizer/pattern/Regex: the pattern has too many groups within each other; "
              "simplify it");
    for (const char* calling : {"(?<a>x)\\g<a>", "(?<a>x)\\\\\\g'a'"})
        EXPECT_THAT([&] { Regex(calling, "here"); },
                    testing::ThrowsMessage<InputError>(StartsWith("here: the pattern calls a group with \\g")));
    EXPECT_NO_THROW(Regex("\\\\g<a>", "here")) << "a backslash, and letters";
    document["pre_tokenizer"]["pattern"]["Regex"] = std::string(10'001, 'a');
    EXPECT_THAT(limited([&] { tokenizer_of(document); }).second, HasSubstr("more than the limit of 10000"));
    document = small_document();
    document["added_tokens"][0]["content"] = std::string(1025, 'a');
    EXPECT_THAT(limited([&] { tokenizer_of(document); }).second, HasSubstr("more than the limit of 1024"));
}

TEST(TokenizerLimits, NormalizersMakeATextAtMostSoLong) {
    json document = small_document();
    document["normalizer"]["normalizers"][1]["content"] = std::string(1025, 'a');
    EXPECT_EQ(
        limited([&] { tokenizer_of(document); }).second,
        "tokenizer.json: /normalizer/normalizers/1/content: the text has 1025 bytes, more than the limit of 1024");
    document = small_document();
    json& normalizers = document["normalizer"]["normalizers"];
    normalizers[0]["prepend"] = std::string(1'000'000, 'b');
    EXPECT_THAT(limited([&] { tokenizer_of(document); }).second, HasSubstr("/0/prepend: the text has 1000000 bytes"));

    const json growing = {{"type", "Replace"}, {"pattern", {{"String", "a"}}}, {"content", "aaaaaaaaaa"}};
    normalizers = json::array();
    for (int i = 0; i < 20; ++i) normalizers.push_back(growing);
    const auto [seconds, sentence] = limited([&] { tokenizer_of(document).encode(std::string(10, 'a')); });
    EXPECT_EQ(sentence,
              "tokenizer.json: /normalizer/normalizers/5: makes the text 10000000 bytes long, more than the "
              "limit of 4194304; shorten the text");
    EXPECT_LT(seconds, 5);

    // Each piece between two tokens is short, but all together are long.
    normalizers = json::array({{{"type", "Prepend"}, {"prepend", std::string(1024, 'b')}}});
    std::string text;
    for (int i = 0; i < 5000; ++i) text += "a<s>";
    EXPECT_THAT(limited([&] { tokenizer_of(document).encode(text); }).second,
                StartsWith("tokenizer.json: /normalizer: makes the text "));
}

TEST(TokenizerLimits, PreTokenizersMakeATextAtMostSoLong) {
    json document = small_document();
    document["normalizer"] = nullptr;
    const json doubling = {{"type", "ByteLevel"}, {"add_prefix_space", false}, {"use_regex", false}};
    json& steps = document["pre_tokenizer"];
    steps = {{"type", "Sequence"}, {"pretokenizers", json::array()}};
    for (int i = 0; i < 40; ++i) steps["pretokenizers"].push_back(doubling);
    const auto [seconds, sentence] = limited([&] { tokenizer_of(document).encode("é"); });  // "Ã©", "ÃĥÂ©" …
    EXPECT_THAT(sentence, StartsWith("tokenizer.json: /pre_tokenizer: makes the text "));
    EXPECT_LT(seconds, 5);

    // Each word between two digits is short, but all together are long; so is each piece between two added tokens.
    steps["pretokenizers"] = json::array({{{"type", "Digits"}, {"individual_digits", true}}});
    for (int i = 0; i < 16; ++i) steps["pretokenizers"].push_back(doubling);
    std::string words, pieces;
    for (int i = 0; i < 100; ++i) {
        words += "é1";
        pieces += "é<s>";
    }
    for (const std::string& text : {words, pieces})
        EXPECT_THAT(limited([&] { tokenizer_of(document).encode(text); }).second,
                    StartsWith("tokenizer.json: /pre_tokenizer: makes the text "));
}

TEST(TokenizerLimits, DecodersMakeATextAtMostSoLong) {
    json document = small_document();
    const json growing = {{"type", "Replace"}, {"pattern", {{"String", "a"}}}, {"content", std::string(60'000, 'a')}};
    json& steps = document["decoder"]["decoders"];
    steps = json::array({growing, growing});
    const auto [seconds, sentence] = limited([&] { tokenizer_of(document).decode(std::vector<int>{1}); });
    EXPECT_EQ(
        sentence,
        "tokenizer.json: /decoder/decoders/1: makes the text 3600000000 bytes long, more than the limit of 4194304; "
        "shorten the text");
    EXPECT_LT(seconds, 5);
    EXPECT_EQ(tokenizer_of(document).piece(1), "a") << "a single token is shown as it is written";
    // Each token is short, but all together are long.
    steps = json::array({growing});
    EXPECT_THAT(limited([&] { tokenizer_of(document).decode(std::vector<int>(100, 1)); }).second,
                StartsWith("tokenizer.json: /decoder/decoders/0: makes the text "));
    EXPECT_LT(tokenizer_of(document).piece(1).size(), 1100u) << "a piece is shortened";
}

TEST(TokenizerLimits, PiecesOfManyTokensAreMadeSoon) {
    json document = small_document();
    std::string spaces;
    for (int i = 0; i < 20'000; ++i) spaces += "▁";
    document["model"]["vocab"][spaces] = 17;
    document["decoder"] = {{"type", "Metaspace"}, {"replacement", "▁"}, {"prepend_scheme", "never"}, {"split", false}};
    const Tokenizer tokenizer = tokenizer_of(document);
    const std::vector<int> ids(4096, 17);
    std::vector<std::string> pieces;
    EXPECT_LT(limited([&] { pieces = tokenizer.pieces(ids); }).first, 5);
    EXPECT_EQ(pieces.back(), tokenizer.piece(17));
    EXPECT_THAT(pieces.back(), StartsWith("▁▁")) << "such a long token is shown as it is written";
    EXPECT_EQ(tokenizer.piece(13), " a");
    EXPECT_EQ(tokenizer.decode(std::vector<int>{17}), std::string(20'000, ' '));
}

TEST(TokenizerLimits, ATokenIsDecodedOnceForItsLabels) {
    json document = small_document();
    const std::string letters = std::string(500, 'b') + "c";  // which the pattern needs
    document["model"]["vocab"][letters] = 17;
    const json slow = {{"type", "Replace"}, {"pattern", {{"Regex", "(a|b)*c\\d"}}}, {"content", ""}};
    document["decoder"] = {{"type", "Sequence"}, {"decoders", {slow, slow}}};
    const Tokenizer tokenizer = tokenizer_of(document);
    const double once = limited([&] { tokenizer.piece(17); }).first;
    std::vector<std::string> pieces;
    const double often = limited([&] { pieces = tokenizer.pieces(std::vector<int>(4096, 17)); }).first;
    EXPECT_EQ(pieces.back(), letters);
    EXPECT_LT(often, 20 * once + 0.5) << "seconds; decoding takes " << once;
}

TEST(TokenizerLimits, StagesOfVeryManyStepsAreRefused) {
    json document = small_document();
    json& normalizers = document["normalizer"]["normalizers"];
    normalizers = json::array();
    const json prepend = {{"type", "Prepend"}, {"prepend", std::string(1000, 'b')}};
    for (int i = 0; i < 2000; ++i) normalizers.push_back(prepend);
    EXPECT_EQ(limited([&] { tokenizer_of(document); }).second,
              "tokenizer.json: /normalizer: has 6003 values, more than the limit of 2000; you can type token ids "
              "instead of a text");

    document = small_document();
    const json split = {{"type", "Split"},
                        {"pattern", {{"Regex", std::string(9000, 'a')}}},
                        {"behavior", "Isolated"},
                        {"invert", false}};
    document["pre_tokenizer"] = {{"type", "Sequence"}, {"pretokenizers", json::array({split, split, split})}};
    EXPECT_THAT(limited([&] { tokenizer_of(document); }).second,
                StartsWith("tokenizer.json: /pre_tokenizer: its patterns have 27000 bytes, more than the limit of "));

    document = small_document();
    json& processor = document["post_processor"];
    processor["special_tokens"]["<s>"]["ids"] = std::vector<int>(300, 15);
    for (int i = 0; i < 300; ++i) processor["single"].push_back(processor["single"][0]);
    EXPECT_EQ(limited([&] { tokenizer_of(document); }).second,
              "tokenizer.json: /post_processor/single: adds more than the limit of 1000 tokens to a text; you can type "
              "token ids instead of a text");
}

TEST(TokenizerLimits, AddedTokensAreAtMostSoLongTogether) {
    json document = small_document();
    json& normalizers = document["normalizer"]["normalizers"];
    normalizers = json::array();
    for (int i = 0; i < 50; ++i) normalizers.push_back({{"type", "Prepend"}, {"prepend", std::string(1000, 'b')}});
    for (int i = 0; i < 100; ++i)
        document["added_tokens"].push_back({{"id", 100 + i}, {"content", fmt::format("z{}", i)}});
    const auto [seconds, sentence] = limited([&] { tokenizer_of(document); });
    EXPECT_THAT(
        sentence,
        StartsWith("tokenizer.json: /normalizer: makes the added tokens longer than the limit of 4194304 bytes; "));
    EXPECT_LT(seconds, 5);

    document = small_document();
    for (int i = 0; i < 5000; ++i)
        document["added_tokens"].push_back(
            {{"id", 100 + i}, {"content", fmt::format("{:05}", i) + std::string(1000, 'b')}, {"special", true}});
    EXPECT_THAT(limited([&] { tokenizer_of(document); }).second,
                HasSubstr("the added tokens have more than the limit of 4194304 bytes together; you can type"));
}

TEST(TokenizerLimits, WhiteSpaceOfTokensThatTakeItIsSearchedInTimeAboutLinear) {
    const json document = {{"added_tokens",
                            {{{"id", 2}, {"content", " "}, {"special", true}, {"rstrip", true}},
                             {{"id", 3}, {"content", "\t"}, {"special", true}}}},
                           {"model", {{"vocab", {{"a", 0}, {"b", 1}}}, {"merges", json::array()}}}};
    const std::size_t pairs = 100'000;
    std::string spaces(2 * pairs, ' '), mixed;
    for (std::size_t i = 0; i < pairs; ++i) mixed += " \t";
    for (const std::string& between : {spaces, mixed}) {
        std::vector<int> ids;
        const double seconds = limited([&] { ids = tokenizer_of(document).encode("a" + between + "b"); }).first;
        ASSERT_EQ(ids.size(), 2 * pairs + 2) << "as Hugging Face does it, each is a token within what the first took";
        EXPECT_EQ(std::count(ids.begin(), ids.end(), 3), between == mixed ? static_cast<std::ptrdiff_t>(pairs) : 0);
        EXPECT_LT(seconds, 5);
    }
}

TEST(TokenizerLimits, AddedTokensMakeATextAtMostSoLong) {
    const json document = {{"normalizer", {{"type", "Replace"}, {"pattern", {{"Regex", "x+"}}}, {"content", "x"}}},
                           {"added_tokens", json::array({{{"id", 2}, {"content", std::string(1024, 'x')}}})},
                           {"model", {{"vocab", {{"a", 0}, {"b", 1}}}, {"merges", json::array()}}}};
    std::string text;
    for (int i = 0; i < 8000; ++i) text += "xa";
    EXPECT_THAT(limited([&] { tokenizer_of(document).encode(text); }).second,
                StartsWith("tokenizer.json: /added_tokens: makes the text "));
}

TEST(TokenizerLimits, AVocabularyBeyondAllIdsIsRefusedEarly) {
    const TemporaryFolder folder;
    const std::string path = folder.file("tokenizer.json");
    std::string vocabulary;
    for (int i = 0; i < 600'000; ++i) vocabulary += fmt::format("{}\"t{}\":{}", i == 0 ? "" : ",", i, i);
    std::ofstream(path) << R"({"model":{"vocab":{)" << vocabulary << R"(},"merges":[]}})";
    try {
        read_tokenizer(path);
        FAIL();
    } catch (const InputError& error) {
        EXPECT_THAT(error.what(), HasSubstr("an object has more than 524288 members; you can type token ids"));
    }
}

TEST(TokenizerLimits, TokensOfEqualHashesAreReadInTimeAboutLinear) {
    // MurmurHash64A, with which libstdc++ hashes texts, is the same after either of these twice, wherever they occur.
    const std::string halves[] = {"\u07ba2q\U000d83ed", "\u07ba\uf28e~7<"};
    constexpr int places = 16;
    json model = {{"vocab", json::object()}, {"merges", json::array()}};
    for (int id = 0; id < 1 << places; ++id) {
        std::string token;
        for (int place = 0; place < places; ++place) token += halves[id >> place & 1] + halves[id >> place & 1];
        model["vocab"][token] = id;
    }
    EXPECT_LT(limited([&] { tokenizer_of({{"model", model}}); }).first, 1);  // 0.2; 5 if the time were quadratic
}

TEST(TokenizerLimits, AMillionLettersAreOneWordInTimeAboutLinear) {
    json model = {{"vocab", json::object()}, {"merges", json::array()}};
    int id = 0;
    for (std::string run = "a"; run.size() <= 4096; run += run) {
        model["vocab"][run] = id++;
        if (run.size() < 4096) model["merges"].push_back(run + " " + run);
    }
    const Tokenizer tokenizer = tokenizer_of({{"model", model}});
    const std::size_t letters = 1 << 20;
    std::vector<int> ids;
    const double seconds = limited([&] { ids = tokenizer.encode(std::string(letters + 1, 'a')); }).first;
    ASSERT_EQ(ids.size(), letters / 4096 + 1);
    EXPECT_EQ(ids.front(), 12);
    EXPECT_EQ(ids.back(), 0);
    EXPECT_LT(seconds, 5);  // 0.3 on a free core; quadratic time would be hours
}

TEST(TokenizerLimits, ManyMarksAreOrderedInTimeAboutLinear) {
    json document = {{"model", {{"vocab", {{"a", 0}, {"\u0323", 1}, {"\u0301", 2}}}, {"merges", json::array()}}},
                     {"normalizer", {{"type", "NFD"}}}};
    std::string text = "a";
    const std::size_t marks = 200'000;
    for (std::size_t i = 0; i < marks; ++i) text += "\u0301\u0323";
    std::vector<int> ids;
    const double seconds = limited([&] { ids = tokenizer_of(document).encode(text); }).first;
    ASSERT_EQ(ids.size(), 2 * marks + 1);
    EXPECT_EQ(std::count(ids.begin() + 1, ids.begin() + 1 + marks, 1), static_cast<std::ptrdiff_t>(marks));
    EXPECT_LT(seconds, 5);
}

}  // namespace
}  // namespace ropewalk
