// Mistral: Llama with a sliding window in all layers (Jiang et al. 2023, arXiv:2310.06825).
#pragma once

#include "core/models/families/llama.h"

namespace ropewalk {

struct MistralFamily : LlamaFamily {
    static std::vector<std::string_view> types() { return {"mistral"}; }
    static constexpr auto differs = "a sliding window in all layers";
    static constexpr ConfigDefaults defaults{.feed_forward = 14'336, .key_heads = 8, .context = 131'072};

    static void adapt(const ConfigReader& reader, ModelConfig& config) {
        set_windows(
            reader, sliding_window(reader, 4096), [](int) { return true; }, config);
    }
};

}  // namespace ropewalk
