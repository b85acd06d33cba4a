// core/models/run: the forward pass, on the engine's kernels. Here: a run of a model over tokens, and what it leaves.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "core/cancel.h"
#include "core/machine/large_array.h"
#include "core/models/model.h"
#include "core/models/run/head_attention.h"
#include "core/models/run/intervention.h"

namespace ropewalk {

/// Another encoding for the whole model: in all layers that rotate and whose own encoding is that of layer `like`.
struct EncodingChange {
    LoweredEncoding lowered;
    int like = 0;

    bool operator==(const EncodingChange&) const = default;
};

struct RunRequest {
    std::vector<int> tokens;
    std::vector<int> targets{};  // [tokens], what to predict at each, or −1; empty: the next token
    std::optional<EncodingChange> encoding;
    std::vector<Intervention> interventions;

    bool operator==(const RunRequest&) const = default;
};

/// Queries and keys of a layer, before the rotation and after their norms, and norms of values.
struct LayerCapture {
    int tokens = 0, head_dim = 0;
    LargeVector<float> queries, keys;  // [heads, tokens, head_dim], in the weights' channel order
    std::vector<float> value_norms;    // [key_heads, tokens]

    /// Returns whether all queries of a head, and all keys of its key head, are finite.
    bool is_finite(int head, int key_head) const;
    std::span<const float> query(int head, int token) const { return row(queries, head, token); }
    std::span<const float> key(int key_head, int token) const { return row(keys, key_head, token); }

  private:
    std::span<const float> row(const LargeVector<float>& all, int head, int token) const {
        const auto d = static_cast<std::size_t>(head_dim);
        return {all.data() + (static_cast<std::size_t>(head) * tokens + token) * d, d};
    }
};

/// What the heads of a layer did.
struct LayerOutputs {
    std::vector<HeadStatistics> statistics;  // [heads]
    std::vector<float> norms;                // [heads, tokens], of the heads' outputs
};

/// What a complete run leaves, besides its layers.
struct ModelOutputs {
    std::vector<LayerOutputs> layers;
    /// [tokens], −ln p(token i | those before), 0 for the first; if the request has targets, −ln p(target i | tokens up
    /// to i), NaN where there is none.
    std::vector<double> loss;
    double mean_loss = 0;        // over what is predicted; NaN if nothing is
    LargeVector<float> streams;  // [tokens, width], after the last norm
};

class Forward;

/// One run of a model over tokens, layer by layer as far as somebody asks. Thread-safe: whoever asks first computes;
/// the others wait, for a layer until that layer is there.
class ModelRun {
  public:
    /// Each token and target must be in [0, vocabulary), and there must be a token.
    ModelRun(std::shared_ptr<const Model> model, RunRequest request);
    ~ModelRun();

    const std::shared_ptr<const Model>& model() const { return model_; }
    const RunRequest& request() const { return request_; }
    /// Returns a layer's queries and keys; computes the layers before it unless that was done. Throws Cancelled within
    /// a layer, IoError if a file changed, and InputError if what the layers before it computed is not finite.
    std::shared_ptr<const LayerCapture> layer(int layer, const Cancel& cancel = {}, const Progress& progress = {});
    /// Throws InputError, naming the tensor to blame, unless the queries and keys of a head are finite.
    void require_finite(int layer, int head, const Cancel& cancel = {});
    /// Returns the attention weights of a layer's heads as the model has them in this run, pooled to at most `cells` ×
    /// `cells` cells: [heads, cells, cells]; NaN for heads whose queries or keys are not finite. Throws like `layer`.
    std::vector<std::vector<float>> pictures(int layer, int cells, const Cancel& cancel = {});
    /// Computes the rest and returns it. Throws like `layer`.
    std::shared_ptr<const ModelOutputs> outputs(const Cancel& cancel = {}, const Progress& progress = {});
    /// Returns the logits of the next token after some rows, [rows, vocabulary]. Throws like `layer`.
    LargeVector<float> next_token_logits(std::span<const int> rows, const Cancel& cancel = {});
    /// Returns the bytes that it holds by now.
    std::size_t bytes() const;

  private:
    std::shared_ptr<const LayerCapture> published(int layer) const;
    std::shared_ptr<const LayerCapture> computed(int layer, const Cancel& cancel, const Progress& progress);
    int published_count() const;
    void publish(std::shared_ptr<const LayerCapture> capture);
    void drop_forward();
    /// Throws IoError if a file changed. What was computed from it is dropped.
    void require_intact();

    std::shared_ptr<const Model> model_;
    RunRequest request_;
    std::timed_mutex computing_;        // whoever computes holds it, and may then use all that follows
    std::unique_ptr<Forward> forward_;  // until the run is complete, or a file changed
    std::shared_ptr<const ModelOutputs> outputs_;
    mutable std::mutex publishing_;  // also for reading the layers
    std::vector<std::shared_ptr<const LayerCapture>> layers_;
    std::atomic<std::size_t> bytes_{0};
};

/// Throws LimitError if a run over this many tokens holds more than `most` bytes once this many layers have begun.
void require_memory_for_run(const ModelConfig& config, int tokens, int layers, double most);

/// Returns the run of a model for a request: a recent one, if there is one. Runs are shared and kept up to a number of
/// bytes.
std::shared_ptr<ModelRun> run_of(const std::shared_ptr<const Model>& model, const RunRequest& request);

}  // namespace ropewalk
