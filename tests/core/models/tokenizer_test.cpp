// What the cases of tokenizer_cases.json do not reach: readouts, malformed files, hostile patterns and long texts.
#include "core/models/tokenizer/tokenizer.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/io/json_reader.h"
#include "core/models/tokenizer/regex.h"
#include "tests/temporary_folder.h"

namespace ropewalk {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

/// Letters a to e, a space as '▁', bytes, "ab", "abc" and three added tokens.
json small_document() {
    json vocabulary = {{"<unk>", 0},   {"a", 1},       {"b", 2},   {"c", 3},   {"d", 4},
                       {"e", 5},       {"▁", 6},       {"ab", 7},  {"abc", 8}, {"<0xC3>", 9},
                       {"<0xA9>", 10}, {"<0x0A>", 11}, {"\t", 12}, {"▁a", 13}, {"\u200d", 14}};
    return {{"version", "1.0"},
            {"added_tokens",
             {{{"id", 15}, {"content", "<s>"}, {"special", true}, {"normalized", false}},
              {{"id", 16}, {"content", "<|two|>"}, {"special", false}, {"normalized", false}, {"lstrip", true}},
              {{"id", 0}, {"content", "<unk>"}, {"special", true}, {"normalized", false}}}},
            {"normalizer",
             {{"type", "Sequence"},
              {"normalizers",
               {{{"type", "Prepend"}, {"prepend", "▁"}},
                {{"type", "Replace"}, {"pattern", {{"String", " "}}}, {"content", "▁"}}}}}},
            {"pre_tokenizer",
             {{"type", "Split"}, {"pattern", {{"Regex", "d+"}}}, {"behavior", "Isolated"}, {"invert", false}}},
            {"post_processor",
             {{"type", "TemplateProcessing"},
              {"single",
               {{{"SpecialToken", {{"id", "<s>"}, {"type_id", 0}}}}, {{"Sequence", {{"id", "A"}, {"type_id", 0}}}}}},
              {"special_tokens", {{"<s>", {{"id", "<s>"}, {"ids", {15}}, {"tokens", {"<s>"}}}}}}}},
            {"decoder",
             {{"type", "Sequence"},
              {"decoders",
               {{{"type", "Replace"}, {"pattern", {{"String", "▁"}}}, {"content", " "}},
                {{"type", "ByteFallback"}},
                {{"type", "Fuse"}},
                {{"type", "Strip"}, {"content", " "}, {"start", 1}, {"stop", 0}}}}}},
            {"model",
             {{"type", "BPE"},
              {"dropout", nullptr},
              {"unk_token", "<unk>"},
              {"fuse_unk", false},
              {"byte_fallback", true},
              {"vocab", vocabulary},
              {"merges", {"a b", {"ab", "c"}, "▁ a"}}}}};
}

Tokenizer tokenizer_of(const json& document) {
    return Tokenizer(JsonValue(document, "tokenizer.json"));
}

/// Returns the sentence with which the small document is refused after a change.
std::string refusal(const std::string& pointer, const json& value) {
    json document = small_document();
    document[json::json_pointer(pointer)] = value;
    try {
        tokenizer_of(document);
    } catch (const InputError& error) {
        return error.what();
    }
    return "(accepted)";
}

TEST(Tokenizer, PiecesAreWhatTokensAddToTheText) {
    const Tokenizer tokenizer = tokenizer_of(small_document());
    const std::vector<int> ids = tokenizer.encode("a dé\n");
    EXPECT_THAT(ids, ElementsAre(15, 13, 6, 4, 9, 10, 11));
    EXPECT_THAT(tokenizer.pieces(ids), ElementsAre("<s>", " a", " ", "d", "<0xC3>", "<0xA9>", "\\n"));
    EXPECT_EQ(tokenizer.decode(ids), "<s> a dé\n");
    EXPECT_EQ(tokenizer.decode(std::vector<int>{13, 9, 1}), "a\ufffda");
    EXPECT_EQ(tokenizer.decode(std::vector<int>{1, 99, -1, 2}), "ab");
    EXPECT_THAT(tokenizer.pieces(std::vector<int>{12, 14, 16, 17, -1}),
                ElementsAre("\\t", "<U+200D>", "<|two|>", "<17>", "<-1>"));
    EXPECT_TRUE(tokenizer.is_special(15));
    EXPECT_FALSE(tokenizer.is_special(16));
    EXPECT_FALSE(tokenizer.is_special(99));
    EXPECT_EQ(tokenizer.size(), 17);
    EXPECT_EQ(tokenizer.description(), "BPE, 17 tokens, byte fallback");
}

TEST(Tokenizer, CharactersThatAreBrokenOffAreOneReplacementCharacterEach) {
    json document = {{"decoder", {{"type", "ByteLevel"}}},
                     {"model", {{"vocab", json::object()}, {"merges", json::array()}}}};
    for (const char* token : {"a", "ä", "½", "ł", "ð", "Ł"}) {  // bytes 61 e4 bd a0 f0 9f, as GPT-2 writes them
        const int id = static_cast<int>(document["model"]["vocab"].size());
        document["model"]["vocab"][token] = id;
    }
    const Tokenizer tokenizer = tokenizer_of(document);
    const auto decoded = [&](std::vector<int> ids) { return tokenizer.decode(ids); };
    EXPECT_EQ(decoded({1, 2, 3}), "你");
    EXPECT_EQ(decoded({1, 2, 0}), "\ufffda");
    EXPECT_EQ(decoded({1, 0}), "\ufffda");
    EXPECT_EQ(decoded({2, 3}), "\ufffd\ufffd");
    EXPECT_EQ(decoded({4, 5}), "\ufffd");
    EXPECT_EQ(decoded({4, 3, 2, 1}), "\ufffd\ufffd");
    EXPECT_EQ(decoded({4, 2, 0}), "\ufffda");
    EXPECT_EQ(decoded({4, 4, 0}), "\ufffd\ufffda");
}

TEST(Tokenizer, BytesThatAreNotUtf8CountAsReplacementCharacters) {
    const Tokenizer tokenizer = tokenizer_of(small_document());
    EXPECT_EQ(tokenizer.encode("a\xff b"), tokenizer.encode("a\ufffd b"));
    EXPECT_EQ(tokenizer.encode(std::string("a\0b", 3)), tokenizer.encode("a\ufffd"
                                                                         "b"));  // neither is in the vocabulary
    EXPECT_THAT(tokenizer.encode(""), ElementsAre(15));
}

TEST(Tokenizer, SparseIdsAndAbsentPartsAreFine) {
    json document = {{"model", {{"vocab", {{"a", 100'000}, {"b", 3}}}, {"merges", json::array()}}}};
    document["added_tokens"] = {{{"id", 7}, {"content", "<x>"}}};
    const Tokenizer tokenizer = tokenizer_of(document);
    EXPECT_THAT(tokenizer.encode("bza<x>"), ElementsAre(3, 100'000, 7));
    EXPECT_EQ(tokenizer.size(), 100'001);
    EXPECT_EQ(tokenizer.description(), "BPE, 3 tokens");
    EXPECT_EQ(tokenizer.piece(50), "<50>");
}

TEST(Tokenizer, LargeNumbersOfTokensAreGrouped) {
    json document = {{"model", {{"vocab", json::object()}, {"merges", json::array()}}}};
    for (int i = 0; i < 12'345; ++i) document["model"]["vocab"]["t" + std::to_string(i)] = i;
    document["model"]["vocab"]["Ġ"] = 12'345;
    EXPECT_EQ(tokenizer_of(document).description(), "BPE, 12 346 tokens, byte-level");
}

TEST(Tokenizer, UnknownTokenThatIsMissingMattersOnlyWhereItIsNeeded) {
    json document = small_document();
    document["model"]["unk_token"] = "[UNK]";
    const Tokenizer tokenizer = tokenizer_of(document);
    EXPECT_THAT(tokenizer.encode("ab"), ElementsAre(15, 6, 7));
    try {
        tokenizer.encode("a z");
        FAIL();
    } catch (const InputError& error) {
        EXPECT_STREQ(
            error.what(),
            "tokenizer.json: /model/unk_token: '[UNK]' is not in the vocabulary, but 'z' needs it; change the text");
    }
}

TEST(Tokenizer, WordsWithoutATokenAreReported) {
    const auto tokenizer = read_tokenizer(std::string(ROPEWALK_SOURCE_DIR) + "/assets/models/induction/tokenizer.json");
    UnknownWords unknown;
    EXPECT_THAT(tokenizer->encode("The cat  sat on the mat, mat, by The door.", &unknown),
                ElementsAre(0, 2, 3, 4, 1, 8, 9, 29));
    EXPECT_THAT(unknown.first, ElementsAre("The", "mat,")) << "each once, and no spaces";
    EXPECT_EQ(unknown.words, 2);
    EXPECT_FALSE(unknown.in_part);
    tokenizer->encode("one two three four", &unknown);
    EXPECT_EQ(unknown.words, 6);
    EXPECT_EQ(unknown.first.size(), 3u);
    json document = small_document();
    document["model"]["unk_token"] = nullptr;
    UnknownWords characters;
    EXPECT_THAT(tokenizer_of(document).encode("a zé", &characters), ElementsAre(15, 13, 6, 9, 10));
    EXPECT_THAT(characters.first, ElementsAre("a zé"));
    EXPECT_TRUE(characters.in_part);
}

TEST(Tokenizer, UnsupportedPartsAreRefusedByNameAndPlace) {
    ASSERT_EQ(refusal("/version", "2.0"), "(accepted)");
    EXPECT_EQ(
        refusal("/normalizer/normalizers/1/type", "Lowercase"),
        "tokenizer.json: /normalizer/normalizers/1/type: normalizer 'Lowercase' is not supported, only NFC, NFD, NFKC, "
        "NFKD, Prepend, Replace, Sequence; you can type token ids instead of a text");
    EXPECT_THAT(refusal("/pre_tokenizer/type", "Whitespace"),
                StartsWith("tokenizer.json: /pre_tokenizer/type: pre-tokenizer 'Whitespace' is not supported, only "
                           "ByteLevel, Digits, Metaspace, Sequence, Split; "));
    EXPECT_THAT(refusal("/post_processor/type", "BertProcessing"),
                StartsWith("tokenizer.json: /post_processor/type: post-processor 'BertProcessing' is not supported"));
    EXPECT_THAT(refusal("/decoder/decoders/2/type", "CTC"),
                StartsWith("tokenizer.json: /decoder/decoders/2/type: decoder 'CTC' is not supported"));
    EXPECT_THAT(refusal("/model/type", "Unigram"),
                StartsWith("tokenizer.json: /model/type: model 'Unigram' is not supported, only BPE; "));
    EXPECT_THAT(refusal("/model/continuing_subword_prefix", "##"),
                StartsWith("tokenizer.json: /model/continuing_subword_prefix: is not supported"));
    EXPECT_THAT(refusal("/model/end_of_word_suffix", "</w>"),
                StartsWith("tokenizer.json: /model/end_of_word_suffix: is not supported"));
    EXPECT_THAT(refusal("/model/dropout", 0.1), StartsWith("tokenizer.json: /model/dropout: is for training"));
}

TEST(Tokenizer, MalformedMembersAreRefusedWithTheirPlace) {
    const std::pair<const char*, json> changes[] = {
        {"/added_tokens", 3},
        {"/added_tokens/0/content", nullptr},
        {"/added_tokens/0/id", -1},
        {"/added_tokens/0/id", 3'000'000},
        {"/added_tokens/0/id", 1},
        {"/added_tokens/1/lstrip", "yes"},
        {"/normalizer", "NFC"},
        {"/normalizer/normalizers", "NFC"},
        {"/normalizer/normalizers/0/prepend", 1},
        {"/normalizer/normalizers/1/pattern", "x"},
        {"/normalizer/normalizers/1/content", nullptr},
        {"/pre_tokenizer/pattern/Regex", "(a"},
        {"/pre_tokenizer/behavior", "Removes"},
        {"/pre_tokenizer/invert", 1},
        {"/post_processor/single", nullptr},
        {"/post_processor/single", json::array()},
        {"/post_processor/single/1/Sequence/id", "B"},
        {"/post_processor/special_tokens", json::object()},
        {"/post_processor/special_tokens/<s>/ids", 15},
        {"/post_processor/special_tokens/<s>/ids/0", "15"},
        {"/decoder/decoders/0/content", 2},
        {"/decoder/decoders/3/content", "ab"},
        {"/decoder/decoders/3/start", -1},
        {"/model", nullptr},
        {"/model/dropout", "none"},
        {"/model/unk_token", 0},
        {"/model/byte_fallback", "true"},
        {"/model/vocab", json::array()},
        {"/model/vocab/a", -1},
        {"/model/vocab/a", 2'097'152},
        {"/model/vocab/a", 2},
        {"/model/vocab/a", "1"},
        {"/model/merges", json::object()},
        {"/model/merges/0", "a b c"},
        {"/model/merges/0", "ab"},
        {"/model/merges/1", {"ab", "c", "d"}},
        {"/model/merges/1", {"ab", 3}},
        {"/model/merges/1", {"ab", "z"}},
        {"/model/merges/1", {"a", "e"}},
        {"/model/merges/2", 4},
    };
    for (const auto& [pointer, value] : changes) {
        // The place may be that of a member or of what has it.
        const std::string place = std::string(pointer).substr(0, std::string(pointer).find('/', 1));
        EXPECT_THAT(refusal(pointer, value), StartsWith("tokenizer.json: " + place)) << pointer << " = " << value;
    }
    EXPECT_EQ(refusal("/model/merges/1", {"ab", "z"}),
              "tokenizer.json: /model/merges/1: 'z' is not in the vocabulary; add it");
    EXPECT_EQ(refusal("/pre_tokenizer/pattern/Regex", "(a"),
              "tokenizer.json: /pre_tokenizer/pattern/Regex: is not a valid pattern (end pattern with unmatched "
              "parenthesis); correct it");
    EXPECT_EQ(refusal("/added_tokens/0/id", 1),
              "tokenizer.json: /added_tokens/0/id: the id 1 is also that of 'a'; give the token one of its own");
}

TEST(Tokenizer, MetaspaceIsCheckedForContradictions) {
    const auto metaspace = [](json members) {
        json document = small_document();
        document["pre_tokenizer"] = {{"type", "Metaspace"}, {"replacement", "▁"}};
        document["pre_tokenizer"].update(members);
        return document;
    };
    const auto sentence = [&](const json& members) -> std::string {
        try {
            tokenizer_of(metaspace(members));
        } catch (const InputError& error) {
            return error.what();
        }
        return "(accepted)";
    };
    EXPECT_EQ(sentence({{"add_prefix_space", false}}), "(accepted)");
    EXPECT_EQ(sentence({{"add_prefix_space", false}, {"prepend_scheme", "never"}}), "(accepted)");
    EXPECT_THAT(sentence({{"add_prefix_space", false}, {"prepend_scheme", "first"}}),
                StartsWith("tokenizer.json: /pre_tokenizer/prepend_scheme: contradicts"));
    EXPECT_THAT(sentence({{"prepend_scheme", "last"}}),
                StartsWith("tokenizer.json: /pre_tokenizer/prepend_scheme: must be"));
    for (const char* replacement : {"", "ab"})
        EXPECT_EQ(sentence({{"replacement", replacement}}),
                  "tokenizer.json: /pre_tokenizer/replacement: must be one character");
}

TEST(Tokenizer, FilesAreReadOrRefusedWithTheirName) {
    const TemporaryFolder folder;
    const std::string path = folder.file("tokenizer.json");
    const auto sentence = [&](const std::string& bytes) -> std::string {
        std::ofstream(path, std::ios::binary) << bytes;
        try {
            return read_tokenizer(path)->description();
        } catch (const InputError& error) {
            return error.what();
        }
    };
    EXPECT_EQ(sentence(small_document().dump()), "BPE, 17 tokens, byte fallback");
    EXPECT_THAT(sentence("{}"), HasSubstr(path + ": /: has no member 'model'"));
    EXPECT_THAT(sentence("[]"), HasSubstr(path + ": /: must be an object"));
    EXPECT_THAT(sentence("{\"model\": "), HasSubstr("not valid JSON"));
    EXPECT_THAT(sentence("version https://git-lfs.github.com/spec/v1\n"), HasSubstr("Git LFS pointer"));
    EXPECT_THROW(read_tokenizer(path + ".missing"), IoError);
    std::ofstream(path) << '"';
    std::filesystem::resize_file(path, (64u << 20) + 1);  // sparse
    EXPECT_THROW(read_tokenizer(path), LimitError);
}

/// Runs `work`, and returns how long it took and with which LimitError it ended.
std::pair<double, std::string> limited(const std::function<void()>& work) {
    const auto begin = std::chrono::steady_clock::now();
    std::string sentence;
    try {
        work();
    } catch (const LimitError& error) {
        sentence = error.what();
    }
    return {std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(), sentence};
}

TEST(Tokenizer, HostilePatternsEndWithASentence) {
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
    document["pre_tokenizer"]["pattern"]["Regex"] = std::string(10'001, 'a');
    EXPECT_THAT(limited([&] { tokenizer_of(document); }).second, HasSubstr("more than the limit of 10000"));
    document = small_document();
    document["added_tokens"][0]["content"] = std::string(1025, 'a');
    EXPECT_THAT(limited([&] { tokenizer_of(document); }).second, HasSubstr("more than the limit of 1024"));
}

TEST(Tokenizer, NormalizersMakeATextAtMostSoLong) {
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

TEST(Tokenizer, PreTokenizersMakeATextAtMostSoLong) {
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

TEST(Tokenizer, DecodersMakeATextAtMostSoLong) {
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

TEST(Tokenizer, StagesOfVeryManyStepsAreRefused) {
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

TEST(Tokenizer, AddedTokensAreAtMostSoLongTogether) {
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

TEST(Tokenizer, TheLongestAddedTokenIsFound) {
    json document = small_document();
    document["normalizer"] = nullptr;
    document["added_tokens"].clear();
    int id = 20;
    for (const char* content : {"<", "<x", "<x>", "<y>y", "<y>", "<x>", "<xyz>"})
        document["added_tokens"].push_back({{"id", id++}, {"content", content}, {"special", true}});
    const Tokenizer tokenizer = tokenizer_of(document);
    EXPECT_THAT(tokenizer.encode("<x<x><y><y>yab<xyab<z"), ElementsAre(15, 21, 22, 24, 23, 7, 21, 0, 7, 20, 0));
}

TEST(Tokenizer, AVocabularyBeyondAllIdsIsRefusedEarly) {
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

TEST(Tokenizer, AMillionLettersAreOneWordInTimeAboutLinear) {
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

TEST(Tokenizer, ManyMarksAreOrderedInTimeAboutLinear) {
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
