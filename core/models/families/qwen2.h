// Qwen 2 and 2.5: biases on queries, keys and values; a window where `layer_types` says so (Yang et al. 2024,
// arXiv:2407.10671).
#pragma once

#include "core/models/families/llama.h"

namespace ropewalk {

struct Qwen2Family : LlamaFamily {
    static std::vector<std::string_view> types() { return {"qwen2"}; }
    static constexpr auto differs = "biases on queries, keys and values";
    static constexpr ConfigDefaults defaults{
        .vocabulary = 151'936, .feed_forward = 22'016, .key_heads = 32, .context = 32'768};

    static void adapt(const ConfigReader& reader, ModelConfig& config) {
        config.query_bias = true;
        set_qwen_windows(reader, config);
    }

    /// Gives the window to the listed layers, or to those from `max_window_layers` on; to none unless it is switched
    /// on.
    static void set_qwen_windows(const ConfigReader& reader, ModelConfig& config) {
        const int first = reader.count({"max_window_layers"}, 28, 0);
        const int window = sliding_window(reader, 4096);
        set_windows(
            reader, reader.flag("use_sliding_window", false) ? window : 0,
            [first](int layer) { return layer >= first; }, config);
    }
};

}  // namespace ropewalk
