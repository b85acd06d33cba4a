// A model that somebody trained, ready to run: its config and its weights, as they lie in the files.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/models/families/family.h"
#include "core/models/files/safetensors.h"
#include "core/models/model_config.h"

namespace ropewalk {

class Tokenizer;

/// The weights of a linear layer, [rows, columns]: y = W x + bias.
struct LinearWeights {
    Tensor weight;
    TensorRows in_tensor;
    std::int64_t rows = 0, columns = 0;
    std::vector<float> bias;  // [rows]; empty: none
};

/// The weights of a norm, [channels], and its bias; empty: there is no norm, or no bias.
struct NormWeights {
    std::vector<float> weight, bias;
    std::string where;  // "FILE: tensor 'NAME'", the first of them
};

struct ModelLayer {
    NormWeights before_attention, after_attention, before_mlp, after_mlp;
    NormWeights query_norm, key_norm;  // weights [head_dim], or [heads · head_dim]
    LinearWeights query, key, value, output, gate, up, down;
};

/// An immutable model, shared by everything that runs it.
struct Model {
    std::string folder;
    ModelConfig config;
    Tensor embedding;  // [vocabulary, width]
    double embedding_factor = 1;
    std::vector<ModelLayer> layers;
    NormWeights last_norm;
    LinearWeights output;                        // [vocabulary, width]
    std::shared_ptr<const Tokenizer> tokenizer;  // null if there is none that can be read
    std::string tokenizer_problem;               // why not
    std::vector<std::string> token_names;        // [vocabulary], where there is no tokenizer; or empty
    std::vector<std::string> unused;             // tensors without a use
    std::uint64_t hash = 0;                      // of the config, the norms, and samples of the other tensors
    std::uint64_t version = 0;                   // of its files: see `version_of`; 0 if there are none
    std::int64_t parameters = 0;                 // numbers in the tensors that are used

    /// Throws IoError if a file with weights changed since it was opened.
    void require_intact() const;
};

/// Returns rows [first, first + count) of a layer's weights, [count, columns].
std::vector<float> rows_of(const LinearWeights& linear, std::int64_t first, std::int64_t count);

/// Returns the multiply-adds of a whole run over this many tokens: products with weights, and attention.
double run_work(const Model& model, int tokens);

/// Returns the most that the statistics of all heads can add to `run_work`, in multiply-adds. This occurs if all tokens
/// are equal: induction then reads every weight.
double statistics_work(const Model& model, int tokens);

/// A text's tokens, or why it cannot be split: there is no tokenizer, or it lacks a token or takes too long.
struct Tokenized {
    std::vector<int> ids;
    std::string problem;
    std::string unknown{};  // a sentence, without its full stop, about words without a token; empty if there are none
};
/// Splits a text into tokens. Recent texts are remembered, because they are asked for several times a frame.
std::shared_ptr<const Tokenized> tokens_of_text(const Model& model, const std::string& text);
/// Returns a token's text or name; its number if it has neither.
std::string piece_of(const Model& model, int token);

/// Reads what a config.json says about a model of a known family. Throws IoError or InputError.
ModelConfig read_model_config(const std::string& path);

}  // namespace ropewalk
