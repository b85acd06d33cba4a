// Tokens of many texts in many tokenizers, against the library that defines the format.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/io/files.h"
#include "core/io/json_reader.h"
#include "core/models/tokenizer/tokenizer.h"

namespace ropewalk {
namespace {

using nlohmann::json;

TEST(TokenizerCases, IdsAndTextsAreThoseOfHuggingFace) {
    const std::string path = std::string(ROPEWALK_SOURCE_DIR) + "/tests/core/models/tokenizer_cases.json";
    const json file = json::parse(read_file(path, 1 << 20));
    const auto& texts = file["texts"];
    ASSERT_GE(texts.size(), 30u);
    ASSERT_GE(file["cases"].size(), 35u);
    for (const json& one : file["cases"]) {
        json document = one["tokenizer"];
        document["model"] = file["models"][one["model"].get<std::string>()];
        const Tokenizer tokenizer(JsonValue(document, "tokenizer.json"));
        for (std::size_t i = 0; i < texts.size(); ++i) {
            SCOPED_TRACE(one["name"].get<std::string>() + ": " + texts[i].dump());
            const auto ids = one["ids"][i].get<std::vector<int>>();
            EXPECT_EQ(tokenizer.encode(texts[i].get<std::string>()), ids);
            EXPECT_EQ(tokenizer.decode(ids), one["decoded"][i].get<std::string>());
        }
    }
}

}  // namespace
}  // namespace ropewalk
