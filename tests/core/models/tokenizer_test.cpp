// What the cases of tokenizer_cases.json do not reach: readouts and malformed files.
#include "core/models/tokenizer/tokenizer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/error.h"
#include "tests/core/models/small_tokenizer.h"
#include "tests/temporary_folder.h"

namespace ropewalk {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

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

TEST(Tokenizer, OfAMergeThatIsListedTwiceTheLastCounts) {
    nlohmann::json document = {{"model", {{"vocab", {{"a", 0}, {"b", 1}, {"c", 2}, {"ab", 3}, {"bc", 4}}}}}};
    document["model"]["merges"] = {"a b", "b c"};
    EXPECT_THAT(tokenizer_of(document).encode("abc"), ElementsAre(3, 2));
    document["model"]["merges"].push_back("a b");
    EXPECT_THAT(tokenizer_of(document).encode("abc"), ElementsAre(0, 4));
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

}  // namespace
}  // namespace ropewalk
