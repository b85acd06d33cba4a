// core/models: heads that models learned. Here: what a model is made of, as a plain value that every family fills in
// and the forward pass follows.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/encodings/encoding.h"

namespace ropewalk {

/// x · (mean x² + ε)^(−½) · w, the same with 1 + w, or (x − mean) · (variance + ε)^(−½) · w + bias.
enum class Norm { rms, rms_one_plus, layer };
/// The activation of the MLP; GELU by tanh or by erf.
enum class Activation { silu, gelu_tanh, gelu_erf };
/// Which channels of a query or key its norm averages: a head's own, or those of all heads together.
enum class ProjectionNorm { none, per_head, whole };
/// x + attention, then + mlp of the sum (sequential); or both branches read x, with a norm each or one for both.
enum class Residual { sequential, parallel, parallel_one_norm };

/// What differs between the layers of a model.
struct LayerConfig {
    Encoding encoding;           // NoPE where queries and keys do not rotate
    double rotary_fraction = 1;  // of the channels, the leading ones
    int window = 0;              // tokens; query i sees keys j > i − window. 0: all before it
    bool is_local = false;       // listed as "sliding_attention", whatever its window
    std::int64_t seed = 0;       // of an encoding that draws positions
    /// [heads] in [0, 1], the weight of each head's encoded logits; the rest is that of q · k alone. Empty: all 1.
    std::vector<double> encoded_shares;

    bool operator==(const LayerConfig&) const = default;
};

struct ModelConfig {
    std::string family;  // `model_type` in config.json
    int width = 0, heads = 0, key_heads = 0, head_dim = 0, feed_forward = 0, vocabulary = 0;
    int context = 0;  // positions it was trained for
    std::vector<LayerConfig> layers;

    Norm norm = Norm::rms;
    double norm_epsilon = 1e-6;
    bool norm_before = true, norm_after = false;  // the branches
    ProjectionNorm projection_norm = ProjectionNorm::none;
    Norm projection_norm_kind = Norm::rms;
    Activation activation = Activation::silu;
    Residual residual = Residual::sequential;
    bool gated = true;
    bool query_bias = false, output_bias = false, mlp_bias = false;  // query_bias: of q, k and v

    double scale = 0;                        // of scores: 1/√head_dim, unless stated
    double softcap = 0, output_softcap = 0;  // of attention logits and of next-token logits; 0: none
    bool scales_embeddings = false;          // by √width, rounded to their stored type
    bool shares_embeddings = false;          // with the output

    int layer_count() const { return static_cast<int>(layers.size()); }
    /// Returns the key head that a query head reads.
    int key_head(int head) const { return head * key_heads / heads; }

    bool operator==(const ModelConfig&) const = default;
};

}  // namespace ropewalk
