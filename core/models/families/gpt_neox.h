// GPT-NeoX and Pythia: layer norms with biases, fused projections ordered by head, parallel branches, partial rotation
// (Black et al. 2022, arXiv:2204.06745; Biderman et al. 2023, arXiv:2304.01373).
#pragma once

#include "core/models/families/llama.h"

namespace ropewalk {

struct GptNeoXFamily : LlamaFamily {
    static std::vector<std::string_view> types() { return {"gpt_neox"}; }
    static constexpr auto differs = "layer norms and biases, parallel branches, partial rotation";
    static constexpr ConfigDefaults defaults{.vocabulary = 50'432,
                                             .width = 6144,
                                             .feed_forward = 24'576,
                                             .layers = 44,
                                             .heads = 64,
                                             .epsilon_key = "layer_norm_eps",
                                             .epsilon = 1e-5,
                                             .rotary_fraction = 0.25,
                                             .activation = "gelu"};

    static void adapt(const ConfigReader& reader, ModelConfig& config) {
        config.norm = Norm::layer;
        config.query_bias = config.output_bias = reader.flag("attention_bias", true);
        config.mlp_bias = true;
        config.gated = false;
        config.key_heads = config.heads;
        config.residual = reader.flag("use_parallel_residual", true) ? Residual::parallel : Residual::sequential;
    }

    static LayerNames layer_names(const ModelConfig& config, int layer) {
        const std::string at = fmt::format("layers.{}.", layer), fused = at + "attention.query_key_value";
        const std::int64_t d = config.head_dim, all = 3 * d * config.heads;
        LayerNames names;
        names.before_attention = at + "input_layernorm";
        names.before_mlp = at + "post_attention_layernorm";
        names.query = {fused, config.query_bias, {.first = 0, .block = d, .stride = 3 * d}, all};
        names.key = {fused, config.query_bias, {.first = d, .block = d, .stride = 3 * d}, all};
        names.value = {fused, config.query_bias, {.first = 2 * d, .block = d, .stride = 3 * d}, all};
        names.output = {at + "attention.dense", config.output_bias};
        names.up = {at + "mlp.dense_h_to_4h", true};
        names.down = {at + "mlp.dense_4h_to_h", true};
        return names;
    }

    static ModelNames model_names(const ModelConfig&) {
        return {.prefix = "gpt_neox.", .embedding = "embed_in", .last_norm = "final_layer_norm", .output = "embed_out"};
    }
};

}  // namespace ropewalk
