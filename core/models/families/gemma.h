// Gemma: norms by 1 + w, scaled embeddings, GELU, wide heads (Gemma Team 2024, arXiv:2403.08295).
#pragma once

#include "core/models/families/llama.h"

namespace ropewalk {

struct GemmaFamily : LlamaFamily {
    static std::vector<std::string_view> types() { return {"gemma"}; }
    static constexpr auto differs = "norms by 1 + w, scaled embeddings, GELU";
    static constexpr ConfigDefaults defaults{.vocabulary = 256'000,
                                             .width = 3072,
                                             .feed_forward = 24'576,
                                             .layers = 28,
                                             .heads = 16,
                                             .key_heads = 16,
                                             .head_dim = 256,
                                             .context = 8192,
                                             .activation = "gelu_pytorch_tanh",
                                             .shares_embeddings = true};

    static void adapt(const ConfigReader& reader, ModelConfig& config) {
        config.query_bias = config.output_bias = reader.flag("attention_bias", false);
        config.norm = config.projection_norm_kind = Norm::rms_one_plus;
        config.scales_embeddings = true;
        // The first files said "gelu" and meant the form by tanh.
        if (config.activation == Activation::gelu_erf) config.activation = Activation::gelu_tanh;
    }
};

}  // namespace ropewalk
