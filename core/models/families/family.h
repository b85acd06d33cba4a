// What a model family is: how its config.json becomes a ModelConfig, and where its tensors are.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/models/families/config_reader.h"
#include "core/models/families/rope_settings.h"
#include "core/models/model_config.h"

namespace ropewalk {

/// Which rows of a tensor form a linear layer: row r is tensor row first + r / block · stride + r % block. Without
/// blocks: all rows from `first` on, in turn.
struct TensorRows {
    std::int64_t first = 0, block = 0, stride = 0;

    std::int64_t at(std::int64_t row) const { return first + (block == 0 ? row : row / block * stride + row % block); }
};

/// A linear layer [rows, columns] by the name of its tensor, without ".weight" and ".bias".
struct LinearName {
    std::string tensor;
    bool has_bias = false;
    TensorRows rows{};
    std::int64_t tensor_rows = 0;  // 0: as many as the layer has
};

/// The names of a layer's tensors, below the model's prefix; empty: the layer has none. The norm of queries or keys has
/// one tensor, or one per head.
struct LayerNames {
    std::string before_attention, after_attention, before_mlp, after_mlp;
    std::vector<std::string> query_norm, key_norm;
    LinearName query, key, value, output, gate, up, down;
};

/// The names outside the layers: the prefix of the whole model, embedding and last norm below it, and the output.
struct ModelNames {
    std::string prefix = "model.", embedding = "embed_tokens", last_norm = "norm", output = "lm_head";
};

/// The values of a family's configuration class, for keys that the file lacks.
struct ConfigDefaults {
    int vocabulary = 32'000, width = 4096, feed_forward = 11'008, layers = 32, heads = 32;
    int key_heads = 0;  // 0: as many as heads
    int head_dim = 0;   // 0: width / heads
    int context = 2048;
    const char* epsilon_key = "rms_norm_eps";
    double epsilon = 1e-6;
    double base = 10'000, rotary_fraction = 1;
    const char* activation = "silu";
    bool shares_embeddings = false;
};

/// A family, as its struct describes it (see llama.h).
struct Family {
    std::vector<std::string_view> types;  // `model_type`
    std::string_view differs;             // from Llama, in a few words
    ConfigDefaults defaults;
    /// Fills in what differs from the base case. The config holds the common values.
    void (*adapt)(const ConfigReader& reader, ModelConfig& config);
    /// Returns a layer's encoding. The config holds everything else.
    LayerConfig (*rope)(const ConfigReader& reader, const ModelConfig& config, const ConfigDefaults& defaults,
                        int layer);
    LayerNames (*layer_names)(const ModelConfig& config, int layer);
    ModelNames (*model_names)(const ModelConfig& config);
};

/// Returns the families' entry for the `model_type` of a config.json. Throws InputError for any other.
const Family& family_of(const ConfigReader& reader);

/// Reads the whole config of a family's model. Throws InputError with the place.
ModelConfig read_config(const Family& family, const ConfigReader& reader);

/// Returns what `rope_settings` needs to know about a model.
RopeDefaults rope_defaults(const ConfigDefaults& defaults, const ModelConfig& config);

/// Returns the sliding window [tokens], which is `otherwise` if the file does not mention it; 0: none, also for null.
int sliding_window(const ConfigReader& reader, int otherwise);

/// Gives the sliding window to the layers that `layer_types` lists as "sliding_attention", or, without such a list, to
/// those for which `has_window` returns true. A window of 0 is none.
void set_windows(const ConfigReader& reader, int window, const std::function<bool(int layer)>& has_window,
                 ModelConfig& config);

}  // namespace ropewalk
