// Phi-3: fused projections and LongRoPE (Abdin et al. 2024, arXiv:2404.14219).
#pragma once

#include "core/models/families/llama.h"

namespace ropewalk {

struct Phi3Family : LlamaFamily {
    static std::vector<std::string_view> types() { return {"phi3"}; }
    static constexpr auto differs = "fused projections, LongRoPE";
    static constexpr ConfigDefaults defaults{
        .vocabulary = 32'064, .width = 3072, .feed_forward = 8192, .context = 4096, .epsilon = 1e-5};

    static void adapt(const ConfigReader& reader, ModelConfig& config) {
        set_windows(
            reader, sliding_window(reader, 0), [](int) { return true; }, config);
    }

    static LayerConfig rope(const ConfigReader& reader, const ModelConfig& config, const ConfigDefaults& defaults,
                            int layer) {
        RopeDefaults given = rope_defaults(defaults, config);
        given.always_longrope = true;
        given.original_length = 4096;
        const bool sliding = config.layers[static_cast<std::size_t>(layer)].is_local;
        return rope_settings(reader, given, sliding ? "sliding_attention" : "full_attention");
    }

    static LayerNames layer_names(const ModelConfig& config, int layer) {
        LayerNames names = LlamaFamily::layer_names(config, layer);
        const std::string at = fmt::format("layers.{}.", layer), fused = at + "self_attn.qkv_proj";
        const std::int64_t queries = std::int64_t{config.heads} * config.head_dim;
        const std::int64_t keys = std::int64_t{config.key_heads} * config.head_dim;
        const std::int64_t all = queries + 2 * keys, both = 2 * std::int64_t{config.feed_forward};
        names.query = {fused, false, {.first = 0}, all};
        names.key = {fused, false, {.first = queries}, all};
        names.value = {fused, false, {.first = queries + keys}, all};
        names.gate = {at + "mlp.gate_up_proj", false, {.first = 0}, both};
        names.up = {at + "mlp.gate_up_proj", false, {.first = config.feed_forward}, both};
        return names;
    }
};

}  // namespace ropewalk
