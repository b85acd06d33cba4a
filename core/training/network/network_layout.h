// Where the kernels keep a network's weights and a sequence's activations. Every extent is padded with zeros to whole
// panels, so that a kernel never meets a rest.
//
// A matrix [rows, columns] is stored in panels of 16 columns, [columns / 16, rows, 16]. A linear layer y = x Wᵀ with W
// [out, in] has two copies: W itself in panels, for gradients of x, and Wᵀ in panels, for y.
#pragma once

#include <cstddef>
#include <vector>

#include "core/training/network/network_shape.h"
#include "core/training/network/parameter_list.h"

namespace ropewalk {

inline constexpr int panel_columns = 16;

constexpr int padded_to_panels(int count) {
    return (count + panel_columns - 1) / panel_columns * panel_columns;
}

/// Returns the place of an entry of a matrix with `rows` rows, in panels.
constexpr std::size_t panel_entry(int row, int column, int rows) {
    return (static_cast<std::size_t>(column / panel_columns) * static_cast<std::size_t>(rows) +
            static_cast<std::size_t>(row)) *
               panel_columns +
           static_cast<std::size_t>(column % panel_columns);
}

/// A linear layer in the weights, padded [out, in].
struct PaddedLinear {
    std::size_t offset = 0;
    int out = 0, in = 0;
};

/// Rows or columns of a tensor in blocks, each padded to whole panels: index → start + index / block · padded + rest.
struct PaddedBlocks {
    int start = 0, block = 0, padded = 0;

    int at(int index) const { return start + index / block * padded + index % block; }
};

/// The place of a tensor in the padded weights: a part of a linear layer, or a row of numbers.
struct TensorPlace {
    PaddedLinear linear;
    PaddedBlocks rows, columns;
    bool has_transposed = true;  // only linear layers have

    /// Returns the place of an entry in W in panels, and in Wᵀ in panels.
    std::size_t plain(int row, int column) const {
        return linear.offset + panel_entry(rows.at(row), columns.at(column), linear.out);
    }
    std::size_t transposed(int row, int column) const {
        return linear.offset + panel_entry(columns.at(column), rows.at(row), linear.in);
    }
};

/// The weights of a layer: q, k and v form one linear layer, and so do gate and up.
struct LayerWeights {
    PaddedLinear before_attention, query_key_value, output, gates, before_mlp, gate_up, down;
};

/// The padded weights of a network, in one array.
struct WeightLayout {
    explicit WeightLayout(const NetworkShape& shape);

    PaddedLinear embedding, last_norm, output;
    std::vector<LayerWeights> layers;
    std::vector<TensorPlace> places;  // of the tensors of parameter_list(shape)
    std::size_t size = 0;
};

/// The activations of one sequence in one array, all as panels over its padded tokens.
struct ActivationLayout {
    enum class Use { training, reading };  // reading keeps one layer's activations at a time
    ActivationLayout(const NetworkShape& shape, int sequence_tokens, Use use);

    int tokens = 0, width = 0, head = 0, channels = 0, hidden = 0, vocabulary = 0;  // padded; channels of all heads
    // Offsets within a layer's activations; layer l begins at l · layer_stride.
    std::size_t x = 0, factors = 0, query_key_value = 0, weights = 0, mixed = 0;
    std::size_t middle = 0, middle_factors = 0, gate_up = 0, hidden_values = 0;
    std::size_t layer_stride = 0, head_weights = 0, weight_row_stride = 0;  // attention weights: per head, per 16 rows
    // Offsets of what no layer owns.
    std::size_t last = 0, last_factors = 0, normed = 0, logits = 0;
    std::size_t queries = 0, keys = 0, transposed = 0, part_stride = 0, block_row = 0;  // of one head, per part
    std::size_t stream_gradient = 0, branch_gradient = 0, mixed_gradient = 0, channel_gradient = 0;
    std::size_t logit_gradient = 0, part_gradient = 0, encoded_gradient = 0, row_sums = 0;
    std::size_t size = 0;
};

}  // namespace ropewalk
