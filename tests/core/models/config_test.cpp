// config.json: what is refused, with the place and what would be accepted.
#include <gmock/gmock.h>

#include <utility>
#include <vector>

#include "core/error.h"
#include "core/models/families/family.h"

namespace ropewalk {
namespace {

using testing::HasSubstr;

/// Returns the sentence with which a config of two layers is refused that states these members, too.
std::string config_rejection(const std::string& members) {
    nlohmann::json config = {
        {"model_type", "llama"}, {"hidden_size", 64}, {"num_attention_heads", 4}, {"num_hidden_layers", 2}};
    config.update(parse_json("{" + members + "}", "members"));
    const ConfigReader reader(JsonValue(config, "config.json"));
    try {
        read_config(family_of(reader), reader);
    } catch (const InputError& error) {
        return error.what();
    }
    return "accepted";
}

TEST(ModelConfig, WhatCannotBeIsRefusedWithItsPlace) {
    EXPECT_EQ(config_rejection(""), "accepted");
    const std::vector<std::pair<std::string, std::string>> cases{
        {R"("hidden_act": "relu")", "the activation 'relu' is not supported; silu and the forms of gelu are"},
        {R"("hidden_size": 66)", "hidden_size is 66; without head_dim it must be a multiple of the 4 heads"},
        {R"("hidden_size": 0)", "/hidden_size"},
        {R"("hidden_size": 60)", "the head dimension is 15; it must be even"},
        {R"("head_dim": 7)", "the head dimension is 7; it must be even"},
        {R"("head_dim": 8.5)", "/head_dim"},
        {R"("num_key_value_heads": 3)", "num_key_value_heads is 3; it must divide the 4 heads"},
        {R"("num_hidden_layers": 1025)", "/num_hidden_layers"},
        {R"("rms_norm_eps": 1)", "/rms_norm_eps: must be from 0 to 1"},
        {R"("rms_norm_eps": -1e-6)", "/rms_norm_eps: must be from 0 to 1"},
        {R"("rope_theta": -1)", "base"},
        {R"("model_type": "")", "has no member 'model_type'"},
        {R"("model_type": "mamba")", "/model_type: the family 'mamba' is not supported; these are: llama, "},
    };
    for (const auto& [members, sentence] : cases)
        EXPECT_THAT(config_rejection(members), HasSubstr(sentence)) << members;
}

TEST(ModelConfig, LayerTypesMustBeKnownOnesForEveryLayer) {
    const std::string qwen =
        R"("model_type": "qwen2", "num_key_value_heads": 4, "use_sliding_window": true, "sliding_window": 8, "layer_types": )";
    EXPECT_EQ(config_rejection(qwen + R"(["full_attention", "sliding_attention"])"), "accepted");
    EXPECT_THAT(config_rejection(qwen + R"(["full_attention"])"), HasSubstr("has 1 entries; the model has 2 layers"));
    EXPECT_THAT(config_rejection(qwen + R"(["full_attention", "chunked_attention"])"),
                HasSubstr("/layer_types/1: must be 'full_attention' or 'sliding_attention'"));
}

}  // namespace
}  // namespace ropewalk
