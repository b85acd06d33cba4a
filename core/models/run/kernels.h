// The kernels of the forward pass, compiled for several instruction sets.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/models/files/safetensors.h"

namespace ropewalk::cpu {

/// Returns the number of tokens of a panel on this machine: the lanes that a kernel multiplies together.
int panel_tokens();

/// Rows of a weight tensor, and where a row's numbers begin in the file.
struct WeightRows {
    TensorType type = TensorType::f32;
    const std::byte* rows[4] = {};  // null: a row of zeros
};
/// Packs columns [first, first + columns) of four rows as [columns, 4], widened to float.
void pack_rows(const WeightRows& weights, std::int64_t first, std::int64_t columns, float* packed);

/// Multiplies groups of four packed rows, [groups, columns, 4], with `panels` panels of activations, [columns, width]
/// each. Writes [groups · 4, width] for each panel.
struct Multiplication {
    int groups = 0, panels = 0;
    std::int64_t columns = 0;
    const float* rows = nullptr;
    const float* in = nullptr;
    std::ptrdiff_t in_stride = 0;  // between panels, in numbers
    float* out = nullptr;
    std::ptrdiff_t out_stride = 0;
};
void multiply(const Multiplication& product);

/// Norms of one panel, over `channels` rows: out = in · (mean in² + ε)^(−½) · weight, or with the mean subtracted and a
/// bias added. `bias` may be null. May be done in place.
struct PanelNorm {
    std::int64_t channels = 0;
    const float *in = nullptr, *weight = nullptr, *bias = nullptr;
    float* out = nullptr;
    double epsilon = 0;
    bool subtracts_mean = false;
};
void normalize(const PanelNorm& norm);

enum class GateKind { silu, gelu_tanh, gelu_erf };
/// Replaces `values` by activation(values), times `factors` unless null.
void activate(GateKind kind, std::span<float> values, const float* factors);

/// Attention of one panel of queries to keys [begin, end) of one head.
struct PanelAttention {
    int head_dim = 0, tokens = 0;
    int first_query = 0;
    int begin = 0, end = 0;              // keys
    const float* queries = nullptr;      // [head_dim, width], rotated
    const float* keys = nullptr;         // [key groups, head_dim, 4], rotated, from key 0
    const float* far_queries = nullptr;  // of keys at least `far_tokens` away; null: one regime
    const float* far_keys = nullptr;
    int far_tokens = 0;
    const float* values = nullptr;                     // [channel groups, tokens rounded up to 4, 4]; null: no mix
    std::ptrdiff_t value_stride = 0;                   // between channel groups
    float scale = 1, bias_per_token = 0, softcap = 0;  // logit = cap(scale · score − bias · distance)
    int window = 0;                                    // 0: none
    float* scores = nullptr;                           // [end − begin rounded up to 4, width], overwritten
    bool has_scores = false;                           // then they hold the products already
    float* out = nullptr;                              // [head_dim rounded up to 4, width]
    /// [width] each: Σ exp(logit − largest), where the scores then hold the exponentials, and the entropy in nats.
    double *sums = nullptr, *entropies = nullptr;
};
void attend(const PanelAttention& attention);

}  // namespace ropewalk::cpu
