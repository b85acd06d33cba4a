// A tokenizer.json with one of each part, for tests to change.
#pragma once

#include <nlohmann/json.hpp>

#include "core/io/json_reader.h"
#include "core/models/tokenizer/tokenizer.h"

namespace ropewalk {

/// Letters a to e, a space as '▁', bytes, "ab", "abc" and three added tokens.
inline nlohmann::json small_document() {
    nlohmann::json vocabulary = {{"<unk>", 0},   {"a", 1},       {"b", 2},   {"c", 3},   {"d", 4},
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

inline Tokenizer tokenizer_of(const nlohmann::json& document) {
    return Tokenizer(JsonValue(document, "tokenizer.json"));
}

}  // namespace ropewalk
