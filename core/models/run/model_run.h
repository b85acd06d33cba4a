// core/models/run: the forward pass, on the engine's kernels. Here: a run of a model over tokens, and what it leaves.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/cancel.h"
#include "core/machine/large_array.h"
#include "core/models/model.h"

namespace ropewalk {

/// What a run changes in a set of heads.
struct Intervention {
    enum class Kind { rotation_off, encoding, zero_output, only_pairs, without_pairs };

    Kind kind = Kind::rotation_off;
    std::vector<int> layers, heads;  // empty: all
    Encoding encoding;               // if this is the change
    int pairs = 1;                   // with the largest mean ‖q_t‖‖k_t‖, if these are the change

    bool covers(int layer, int head) const;
    bool operator==(const Intervention&) const = default;
};

/// Another encoding for the whole model: in all layers whose own encoding is that of layer `like`.
struct EncodingChange {
    Encoding encoding;
    double rotary_fraction = 1;
    int like = 0;

    bool operator==(const EncodingChange&) const = default;
};

struct RunRequest {
    std::vector<int> tokens;
    std::optional<EncodingChange> encoding;
    std::vector<Intervention> interventions;
    int last_layer = -1;  // whose queries and keys are wanted; −1: run all, for the loss, too

    bool operator==(const RunRequest&) const = default;
};

/// Queries and keys of a layer, before the rotation and after their norms, and norms of values and outputs.
struct LayerCapture {
    int tokens = 0, head_dim = 0;
    LargeVector<float> queries, keys;              // [heads, tokens, head_dim], in the weights' channel order
    std::vector<float> value_norms, output_norms;  // [key_heads, tokens], [heads, tokens]

    std::span<const float> query(int head, int token) const { return row(queries, head, token); }
    std::span<const float> key(int key_head, int token) const { return row(keys, key_head, token); }

  private:
    std::span<const float> row(const LargeVector<float>& all, int head, int token) const {
        const auto d = static_cast<std::size_t>(head_dim);
        return {all.data() + (static_cast<std::size_t>(head) * tokens + token) * d, d};
    }
};

struct ModelRun {
    std::vector<int> tokens;
    std::vector<std::shared_ptr<const LayerCapture>> layers;  // up to the last one wanted
    std::vector<double> loss;  // [tokens], −ln p(token i | those before), 0 for the first; empty if not all layers ran
    LargeVector<float> outputs;  // [tokens, width], after the last norm
};

/// Called when a layer's queries and keys are there.
using LayerDone = std::function<void(int layer, const std::shared_ptr<const LayerCapture>&)>;

/// Runs a model over tokens, each in [0, vocabulary). Throws Cancelled within a layer, IoError if a file became
/// shorter.
ModelRun run_model(const Model& model, const RunRequest& request, const Cancel& cancel = {},
                   const Progress& progress = {}, const LayerDone& done = {});

/// Returns the logits of the next token after some rows of a complete run, [rows, vocabulary].
LargeVector<float> next_token_logits(const Model& model, const ModelRun& run, std::span<const int> rows,
                                     const Cancel& cancel = {});

}  // namespace ropewalk
