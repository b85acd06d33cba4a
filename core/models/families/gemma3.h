// Gemma 3: norms per head on queries and keys; every sixth layer sees all tokens, with a base of its own (Gemma Team
// 2025, arXiv:2503.19786). The text model may be part of one that also reads images.
#pragma once

#include "core/encodings/encoding_list.h"
#include "core/models/families/gemma2.h"

namespace ropewalk {

struct Gemma3Family : Gemma2Family {
    static std::vector<std::string_view> types() { return {"gemma3_text", "gemma3"}; }
    static constexpr auto differs = "norms per head, two bases, a window in five of six layers";
    static constexpr ConfigDefaults defaults = [] {
        ConfigDefaults changed = Gemma2Family::defaults;
        changed.vocabulary = 262'208, changed.context = 131'072, changed.base = 1'000'000;
        return changed;
    }();

    static void adapt(const ConfigReader& reader, ModelConfig& config) {
        adapt_gemma2(reader, config);
        config.projection_norm = ProjectionNorm::per_head;
        config.output_softcap = reader.number({"final_logit_softcapping"}, 0);
        const int pattern = reader.count({"sliding_window_pattern", "_sliding_window_pattern"}, 6);
        set_windows(
            reader, sliding_window(reader, 4096), [pattern](int layer) { return (layer + 1) % pattern != 0; }, config);
    }

    /// In files that state no settings by type of layer, layers with a window have a base of their own and no scaling.
    static LayerConfig rope(const ConfigReader& reader, const ModelConfig& config, const ConfigDefaults& defaults,
                            int layer) {
        if (!config.layers[static_cast<std::size_t>(layer)].is_local)
            return LlamaFamily::rope(reader, config, defaults, layer);
        const double base = reader.number({"rope_local_base_freq"}, 10'000);
        if (reader.has("rope_parameters")) {
            RopeDefaults given = rope_defaults(defaults, config);
            given.base = base;
            return rope_settings(reader, given, "sliding_attention");
        }
        Rope rope;
        rope.base = base;
        return {.encoding = rope};
    }
};

}  // namespace ropewalk
