// SmolLM3: Llama without rotation in every fourth layer (Bakouch et al. 2025, huggingface.co/blog/smollm3; Yang et al.
// 2025, arXiv:2501.18795).
#pragma once

#include "core/encodings/encoding_list.h"
#include "core/models/families/llama.h"

namespace ropewalk {

struct SmolLm3Family : LlamaFamily {
    static std::vector<std::string_view> types() { return {"smollm3"}; }
    static constexpr auto differs = "layers without rotation";
    static constexpr ConfigDefaults defaults{.vocabulary = 128'256,
                                             .width = 2048,
                                             .layers = 36,
                                             .heads = 16,
                                             .key_heads = 4,
                                             .context = 32'768,
                                             .base = 2'000'000,
                                             .shares_embeddings = true};

    static void adapt(const ConfigReader& reader, ModelConfig& config) {
        LlamaFamily::adapt(reader, config);
        const int window = sliding_window(reader, 0);
        set_windows(
            reader, reader.flag("use_sliding_window", false) ? window : 0,
            [&](int layer) { return !rotates(reader, config, layer); }, config);
    }

    static LayerConfig rope(const ConfigReader& reader, const ModelConfig& config, const ConfigDefaults& defaults,
                            int layer) {
        LayerConfig at = LlamaFamily::rope(reader, config, defaults, layer);
        if (!rotates(reader, config, layer)) at.encoding = without_rope(), at.rotary_fraction = 1;
        return at;
    }

  private:
    static bool rotates(const ConfigReader& reader, const ModelConfig& config, int layer) {
        const std::vector<double> listed = reader.numbers("no_rope_layers");  // 1: rotates
        if (listed.empty()) return (layer + 1) % reader.count({"no_rope_layer_interval"}, 4) != 0;
        if (static_cast<int>(listed.size()) != config.layer_count())
            reader.root()
                .at("no_rope_layers")
                .reject(fmt::format("has {} entries; the model has {} layers", listed.size(), config.layer_count()));
        return listed[static_cast<std::size_t>(layer)] != 0;
    }
};

}  // namespace ropewalk
