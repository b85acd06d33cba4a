// A forward pass in progress, layer by layer.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/models/run/head_plans.h"
#include "core/models/run/model_run.h"

namespace ropewalk {

/// The stream of a model over tokens. What throws leaves it as it was. The model and the request must outlive it.
class Forward {
  public:
    Forward(const Model& model, const RunRequest& request);

    /// Adds the branches of the layer before, if there is one, to the stream; then computes queries, keys and values of
    /// the next layer.
    std::shared_ptr<const LayerCapture> next_layer(const Cancel& cancel);
    /// Adds the branches of the last layer, applies the last norm, and returns what the run leaves. All layers must
    /// have begun.
    ModelOutputs finish(const Cancel& cancel);
    /// Returns how many layers have begun.
    int begun() const { return begun_; }
    /// Returns about how many bytes it holds.
    std::size_t bytes() const;

  private:
    /// Throws InputError, naming the tensor to blame, unless these channels are finite.
    void require_finite(const Activations& x, std::int64_t first, std::int64_t channels, int stage,
                        const Cancel& cancel) const;
    void require_finite_inputs(const std::vector<HeadPlan>& plans, int layer, const Cancel& cancel) const;
    int tokens() const { return static_cast<int>(request_.tokens.size()); }
    void end_layer(const Cancel& cancel);
    /// Fills in the losses, from the stream after the last norm, without holding all logits.
    void add_losses(ModelOutputs& outputs, const Cancel& cancel) const;
    Activations embedded() const;
    Activations apply_mlp(const ModelLayer& layer, const Activations& y, const Cancel& cancel) const;

    const Model& model_;
    const ModelConfig& config_;
    const RunRequest& request_;
    PreparedEncodings encodings_;
    Activations x_;
    std::optional<Activations> queries_, keys_, values_, normed_;
    std::shared_ptr<const LayerCapture> capture_;
    std::vector<LayerOutputs> outputs_;  // of the layers whose branches are part of the stream
    int begun_ = 0;                      // layers
    bool finished_ = false;              // the last norm was applied
};

/// Estimates the bytes that a forward pass over this many tokens holds once this many layers have begun, with what it
/// leaves of them.
double forward_bytes(const ModelConfig& config, int tokens, int layers);

/// Returns cap · tanh(logit / cap), or the logit itself if the cap is 0.
float capped(float logit, double cap);

}  // namespace ropewalk
