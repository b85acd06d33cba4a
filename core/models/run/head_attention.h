// The attention of one layer: all heads, each with an encoding of its own.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/cancel.h"
#include "core/encodings/lowered_encoding.h"
#include "core/models/model_config.h"
#include "core/models/run/activations.h"

namespace ropewalk {

/// An encoding prepared for a number of tokens: cosines and sines of every pair and token, or the waves to add.
class EncodedPositions {
  public:
    EncodedPositions(const LoweredEncoding& lowered, int tokens);

    const LoweredEncoding& lowered() const { return lowered_; }
    enum class Side { query, key };
    /// Encodes one panel of a head, [head_dim, width], into `out`; `far`: as at distances of `far->window` and more.
    void encode(int panel, const float* in, Side side, bool far, float* out) const;

  private:
    const Activations& turns(Side side, bool far) const;

    LoweredEncoding lowered_;
    std::vector<Activations> turns_;  // cosines of all pairs, then sines; of near queries, near keys, far ones
    std::optional<Activations> waves_;
};

/// How one head attends.
struct HeadPlan {
    std::shared_ptr<const EncodedPositions> positions;
    std::shared_ptr<const EncodedPositions> unrotated;  // whose logits have the rest of the share; null: no share
    double encoded_share = 1;
    bool is_silent = false;          // its output is zero
    std::vector<bool> silent_pairs;  // [head_dim / 2] pairs that add nothing to its scores; empty: none
};

/// The inputs of a layer's attention, [tokens, heads · head_dim] and [tokens, key_heads · head_dim]. Without values,
/// only weights are computed.
struct AttentionInputs {
    const Activations &queries, &keys;
    const Activations* values;
    const ModelConfig& config;
    const std::vector<int>& token_ids;
    int window = 0;
};

/// Mean attention weights of a head over its queries, and their mean entropy in nats.
struct HeadStatistics {
    double previous = 0, diagonal = 0, first = 0;  // on key i − 1 (of queries from 1 on), on key i, on key 0
    double induction = 0;  // on all keys that follow an earlier occurrence of the query's token, where there is one
    double entropy = 0;
};

/// Returns the attention weights of every head, pooled to the mean of `cells` × `cells` cells of tokens, at most one
/// per token: [heads, cells, cells]. Throws Cancelled.
std::vector<std::vector<float>> pooled_weights(const AttentionInputs& inputs, const std::vector<HeadPlan>& plans,
                                               int cells, const Cancel& cancel);

/// Returns the mix of values of every head, [tokens, heads · head_dim]. `plans` has one entry per head. Fills in
/// `statistics`, [heads]. Throws Cancelled.
Activations attend(const AttentionInputs& inputs, const std::vector<HeadPlan>& plans,
                   std::vector<HeadStatistics>& statistics, const Cancel& cancel);

}  // namespace ropewalk
