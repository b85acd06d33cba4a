// Gemma 2: norms also after the branches, capped logits, a window in every other layer (Gemma Team 2024,
// arXiv:2408.00118).
#pragma once

#include <cmath>

#include "core/models/families/gemma.h"

namespace ropewalk {

struct Gemma2Family : GemmaFamily {
    static std::vector<std::string_view> types() { return {"gemma2"}; }
    static constexpr auto differs = "norms before and after the branches, capped logits, a window in even layers";
    static constexpr ConfigDefaults defaults{.vocabulary = 256'000,
                                             .width = 2304,
                                             .feed_forward = 9216,
                                             .layers = 26,
                                             .heads = 8,
                                             .key_heads = 4,
                                             .head_dim = 256,
                                             .context = 8192,
                                             .activation = "gelu_pytorch_tanh",
                                             .shares_embeddings = true};

    static void adapt(const ConfigReader& reader, ModelConfig& config) {
        adapt_gemma2(reader, config);
        const auto cap = [&](const char* key, double otherwise) {
            return reader.number({key}, reader.mentions(key) ? 0 : otherwise);  // null: none
        };
        config.softcap = cap("attn_logit_softcapping", 50);
        config.output_softcap = cap("final_logit_softcapping", 30);
        set_windows(
            reader, sliding_window(reader, 4096), [](int layer) { return layer % 2 == 0; }, config);
    }

    /// Fills in what Gemma 3 shares.
    static void adapt_gemma2(const ConfigReader& reader, ModelConfig& config) {
        GemmaFamily::adapt(reader, config);
        config.norm_after = true;
        const double scalar = reader.number({"query_pre_attn_scalar"}, 256);
        if (!(scalar > 0)) reader.root().at("query_pre_attn_scalar").reject("must be above 0");
        config.scale = 1 / std::sqrt(scalar);
    }

    static LayerNames layer_names(const ModelConfig& config, int layer) {
        LayerNames names = LlamaFamily::layer_names(config, layer);
        const std::string at = fmt::format("layers.{}.", layer);
        names.after_attention = at + "post_attention_layernorm";
        names.before_mlp = at + "pre_feedforward_layernorm";
        names.after_mlp = at + "post_feedforward_layernorm";
        return names;
    }
};

}  // namespace ropewalk
