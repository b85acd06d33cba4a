// How each head of a layer attends in a run: by its own encoding, or as an intervention says.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/models/run/head_attention.h"
#include "core/models/run/model_run.h"

namespace ropewalk {

/// Encodings prepared for the tokens of a run, each once.
class PreparedEncodings {
  public:
    PreparedEncodings(const ModelConfig& config, int tokens) : config_(config), tokens_(tokens) {}

    std::shared_ptr<const EncodedPositions> get(const LoweredEncoding& lowered) {
        for (const auto& known : known_)
            if (known->lowered() == lowered) return known;
        return known_.emplace_back(std::make_shared<const EncodedPositions>(lowered, tokens_));
    }
    std::shared_ptr<const EncodedPositions> get(const Encoding& encoding, double rotary_fraction,
                                                std::int64_t seed = 0) {
        return get(lower(encoding, Shape{.head_dim = config_.head_dim,
                                         .seq_len = tokens_,
                                         .pairing = Pairing::half_split,
                                         .seed = seed,
                                         .rotary_fraction = rotary_fraction}));
    }
    /// Returns the same layout of pairs without any rotation, bias or damping.
    std::shared_ptr<const EncodedPositions> without_rotation(const LoweredEncoding& lowered) {
        LoweredEncoding still;
        still.inv_freq.assign(lowered.inv_freq.size(), 0);
        still.rotary_dim = lowered.rotary_dim;
        return get(still);
    }

  private:
    const ModelConfig& config_;
    int tokens_;
    std::vector<std::shared_ptr<const EncodedPositions>> known_;
};

/// Returns the plans of a layer, [heads]. The capture has the layer's queries and keys.
std::vector<HeadPlan> head_plans(const ModelConfig& config, const RunRequest& request, const LayerCapture& capture,
                                 int layer, PreparedEncodings& encodings);

}  // namespace ropewalk
