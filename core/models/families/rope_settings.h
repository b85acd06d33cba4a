// The position encoding that a config.json states, in the terms of Ropewalk. It is stated as `rope_theta` and
// `rope_scaling`, or as `rope_parameters`, which may hold both, for each type of layer.
#pragma once

#include <string>

#include "core/models/families/config_reader.h"
#include "core/models/model_config.h"

namespace ropewalk {

/// What holds where the file states nothing, and what it may only mean in a family.
struct RopeDefaults {
    double base = 10'000;
    double rotary_fraction = 1;
    int context = 2048;       // `max_position_embeddings`
    int original_length = 0;  // `original_max_position_embeddings`; 0: as many as `context`
    int head_dim = 64;
    bool always_longrope = false;  // any `rope_scaling` is LongRoPE, as in Phi-3
};

/// Returns the encoding, with the fraction of channels that rotate, of layers of `layer_type`, such as
/// "full_attention" (see `_compute_default_rope_parameters` and its siblings in Hugging Face transformers,
/// modeling_rope_utils.py). Throws InputError with the place.
LayerConfig rope_settings(const ConfigReader& config, const RopeDefaults& defaults, const std::string& layer_type);

/// Returns the encoding of a layer or head whose queries and keys do not rotate.
Encoding without_rope();

/// Puts the members that state an encoding into a config.json, which states everything else, so that `rope_settings`
/// reads the same value back. Returns false if no members do.
bool state_rope(const Encoding& encoding, nlohmann::json& config);

}  // namespace ropewalk
