// Llama, the base case: RMSNorm before both branches, rotary attention with grouped keys, gated SiLU
// (Touvron et al. 2023, arXiv:2302.13971). Other families derive from it and redefine what differs.
#pragma once

#include <fmt/format.h>

#include "core/models/families/family.h"

namespace ropewalk {

struct LlamaFamily {
    static std::vector<std::string_view> types() { return {"llama"}; }
    static constexpr auto differs = "the base case";
    static constexpr ConfigDefaults defaults{};

    static void adapt(const ConfigReader& reader, ModelConfig& config) {
        config.query_bias = config.output_bias = reader.flag("attention_bias", false);
        config.mlp_bias = reader.flag("mlp_bias", false);
    }

    static LayerConfig rope(const ConfigReader& reader, const ModelConfig& config, const ConfigDefaults& defaults,
                            int layer) {
        const bool sliding = config.layers[static_cast<std::size_t>(layer)].is_local;
        return rope_settings(reader, rope_defaults(defaults, config), sliding ? "sliding_attention" : "full_attention");
    }

    static LayerNames layer_names(const ModelConfig& config, int layer) {
        const std::string at = fmt::format("layers.{}.", layer), attention = at + "self_attn.", mlp = at + "mlp.";
        LayerNames names;
        names.before_attention = at + "input_layernorm";
        names.before_mlp = at + "post_attention_layernorm";
        if (config.projection_norm != ProjectionNorm::none)
            names.query_norm = {attention + "q_norm"}, names.key_norm = {attention + "k_norm"};
        names.query = {attention + "q_proj", config.query_bias};
        names.key = {attention + "k_proj", config.query_bias};
        names.value = {attention + "v_proj", config.query_bias};
        names.output = {attention + "o_proj", config.output_bias};
        if (config.gated) names.gate = {mlp + "gate_proj", config.mlp_bias};
        names.up = {mlp + "up_proj", config.mlp_bias};
        names.down = {mlp + "down_proj", config.mlp_bias};
        return names;
    }

    static ModelNames model_names(const ModelConfig&) { return {}; }
};

}  // namespace ropewalk
