// The parameters of a network: one flat array, and a tensor for each part of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/training/network/network_shape.h"

namespace ropewalk {

/// How a tensor starts: as 1, as 0, or at random with a variance of 1/(4 · columns) within layers, of 1/columns in the
/// output, and of embedding_scale² in the embeddings.
enum class Start { ones, zeros, layer, output, embedding };

/// A tensor of the parameters, row-major, from number `offset` on.
struct ParameterTensor {
    std::string name;                 // as in Hugging Face's Llama, such as "model.norm.weight"
    std::vector<std::int64_t> shape;  // [out, in], [vocabulary, width], or [channels]
    std::size_t offset = 0;
    Start start = Start::layer;

    int rows() const { return shape.size() == 2 ? static_cast<int>(shape[0]) : 1; }
    int columns() const { return static_cast<int>(shape.back()); }
    std::size_t count() const { return static_cast<std::size_t>(rows()) * static_cast<std::size_t>(columns()); }
};

/// Returns the tensors in the order of the flat array: embeddings; per layer the norm, q, k, v and o of the attention,
/// its gates [heads] ("self_attn.rope_gate") if it has any, the norm, gate, up and down of the MLP; last norm; output.
std::vector<ParameterTensor> parameter_list(const NetworkShape& shape);

/// Returns the length of the flat array.
std::size_t parameter_count(const NetworkShape& shape);

/// Returns the parameters at the start, from a counter-based generator: the same bytes on every machine. Weights of
/// layers spread less than the output's: otherwise what they add hides small embeddings, and recall is not learned.
std::vector<float> initial_parameters(const NetworkShape& shape, double embedding_scale, std::int64_t seed);

}  // namespace ropewalk
