// OLMo 2: norms after the branches instead of before them, and on whole queries and keys (OLMo et al. 2024,
// arXiv:2501.00656).
#pragma once

#include "core/models/families/llama.h"

namespace ropewalk {

struct Olmo2Family : LlamaFamily {
    static std::vector<std::string_view> types() { return {"olmo2"}; }
    static constexpr auto differs = "norms after the branches, and on whole queries and keys";
    static constexpr ConfigDefaults defaults{.vocabulary = 50'304, .epsilon = 1e-5};

    static void adapt(const ConfigReader& reader, ModelConfig& config) {
        config.query_bias = config.output_bias = reader.flag("attention_bias", false);
        config.norm_before = false, config.norm_after = true;
        config.projection_norm = ProjectionNorm::whole;
    }

    static LayerNames layer_names(const ModelConfig& config, int layer) {
        LayerNames names = LlamaFamily::layer_names(config, layer);
        const std::string at = fmt::format("layers.{}.", layer);
        names.before_attention = names.before_mlp = "";
        names.after_attention = at + "post_attention_layernorm";
        names.after_mlp = at + "post_feedforward_layernorm";
        return names;
    }
};

}  // namespace ropewalk
