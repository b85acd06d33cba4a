// StableLM: layer norms with biases, partial rotation (Bellagente et al. 2024, arXiv:2402.17834).
#pragma once

#include "core/models/families/llama.h"

namespace ropewalk {

struct StableLmFamily : LlamaFamily {
    static std::vector<std::string_view> types() { return {"stablelm"}; }
    static constexpr auto differs = "layer norms, partial rotation";
    static constexpr ConfigDefaults defaults{.vocabulary = 50'304,
                                             .width = 2560,
                                             .feed_forward = 6912,
                                             .key_heads = 32,
                                             .context = 4096,
                                             .epsilon_key = "layer_norm_eps",
                                             .epsilon = 1e-5,
                                             .rotary_fraction = 0.25};

    static void adapt(const ConfigReader& reader, ModelConfig& config) {
        config.norm = config.projection_norm_kind = Norm::layer;
        config.query_bias = reader.flag("use_qkv_bias", false);
        if (reader.flag("qk_layernorm", false)) config.projection_norm = ProjectionNorm::per_head;
        if (reader.flag("use_parallel_residual", false)) config.residual = Residual::parallel_one_norm;
    }

    static LayerNames layer_names(const ModelConfig& config, int layer) {
        LayerNames names = LlamaFamily::layer_names(config, layer);
        if (config.projection_norm != ProjectionNorm::none) {
            const std::string attention = fmt::format("layers.{}.self_attn.", layer);
            names.query_norm = per_head(attention + "q_layernorm.norms.", config.heads);
            names.key_norm = per_head(attention + "k_layernorm.norms.", config.key_heads);
        }
        if (config.residual == Residual::parallel_one_norm) names.before_mlp = "";
        return names;
    }

  private:
    static std::vector<std::string> per_head(const std::string& name, int heads) {
        std::vector<std::string> names;
        for (int head = 0; head < heads; ++head) names.push_back(name + std::to_string(head));
        return names;
    }
};

}  // namespace ropewalk
