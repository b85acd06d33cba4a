// Qwen 3: an RMS norm per head on queries and keys before the rotation; no biases (Yang et al. 2025, arXiv:2505.09388).
#pragma once

#include "core/models/families/qwen2.h"

namespace ropewalk {

struct Qwen3Family : LlamaFamily {
    static std::vector<std::string_view> types() { return {"qwen3"}; }
    static constexpr auto differs = "norms per head on queries and keys";
    static constexpr ConfigDefaults defaults{
        .vocabulary = 151'936, .feed_forward = 22'016, .key_heads = 32, .head_dim = 128, .context = 32'768};

    static void adapt(const ConfigReader& reader, ModelConfig& config) {
        config.query_bias = config.output_bias = reader.flag("attention_bias", false);
        config.projection_norm = ProjectionNorm::per_head;
        Qwen2Family::set_qwen_windows(reader, config);
    }
};

}  // namespace ropewalk
