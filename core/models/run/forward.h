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

    /// Computes queries, keys and values of the next layer.
    std::shared_ptr<const LayerCapture> begin_layer(int number, const Cancel& cancel);
    /// Adds the branches of that layer to the stream.
    void end_layer(int number, const Cancel& cancel);
    /// Applies the last norm, and returns the stream, [tokens, width].
    LargeVector<float> finish();
    /// Returns −ln p(token i | those before), from the stream after the last norm, without holding all logits.
    std::vector<double> loss(const Cancel& cancel) const;

  private:
    int tokens() const { return static_cast<int>(request_.tokens.size()); }
    Activations embedded() const;
    Activations apply_mlp(const ModelLayer& layer, const Activations& y, const Cancel& cancel) const;

    const Model& model_;
    const ModelConfig& config_;
    const RunRequest& request_;
    PreparedEncodings encodings_;
    Activations x_;
    std::optional<Activations> queries_, keys_, values_, normed_;
    std::shared_ptr<LayerCapture> capture_;
};

/// Returns cap · tanh(logit / cap), or the logit itself if the cap is 0.
float capped(float logit, double cap);

}  // namespace ropewalk
