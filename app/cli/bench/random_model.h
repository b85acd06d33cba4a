// Models of known shapes with random weights, for benchmarks.
#pragma once

#include <memory>

#include "core/models/model.h"
#include "core/models/run/model_run.h"

namespace ropewalk {

struct ModelShape {
    const char* name;
    int layers = 0, width = 0, heads = 0, key_heads = 0, head_dim = 0, feed_forward = 0, vocabulary = 0;
};
inline constexpr ModelShape smollm_135m{"135M", 30, 576, 9, 3, 64, 1536, 49'152};
inline constexpr ModelShape llama_1b{"1B", 16, 2048, 32, 8, 64, 8192, 128'256};

/// Returns a model of Llama's family with random bf16 weights in memory; embedding and output are one tensor.
std::shared_ptr<const Model> random_model(const ModelShape& shape);

/// Returns a run over tokens from the whole vocabulary.
RunRequest prefill_request(const Model& model, int tokens);
/// Returns the multiply-adds of a run over `tokens` tokens with the logits after each: 2 · P · N of the weights and
/// 2 · N² · H · d · L of the attention, twice one half for scores and for the mix of values.
double prefill_flop(const Model& model, int tokens);

}  // namespace ropewalk
