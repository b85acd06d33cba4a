// core/training/kernels: the arithmetic of training, compiled for several instruction sets. Every one gives the same
// bits: an element of a matrix product is one chain of fused multiply-adds in the order of the inner index, and sums
// over lanes are over 16 of them in a fixed tree. Here: one sequence forward and backward, and AdamW.
#pragma once

#include <cstddef>
#include <span>

#include "core/cancel.h"
#include "core/training/network/network_layout.h"
#include "core/training/network/position_tables.h"

namespace ropewalk::training {

/// A network with its weights, for sequences of one length.
template <class T>
struct NetworkView {
    const NetworkShape& shape;
    const WeightLayout& layout;
    const ActivationLayout& activations;
    const PositionTables<T>& positions;
    const T *plain = nullptr, *transposed = nullptr;  // the padded weights, and all linear layers transposed
};

/// One sequence and where its activations go, [activations.size].
template <class T>
struct SequenceTask {
    const NetworkView<T>& network;
    T* memory = nullptr;
    std::span<const int> tokens, targets;  // targets below 0 are not scored
    Cancel cancel{};                       // checked between heads; the memory may then be used again
};

/// Sums over the scored targets of a sequence.
struct SequenceScore {
    double loss = 0;  // nats
    int correct = 0;  // targets that are the most likely token; of equals the first counts
};

/// Where the gradient of loss_weight · (sum of losses) goes, in the layout of the weights.
template <class T>
struct GradientTask {
    T loss_weight = 1;  // above 0
    T* gradient = nullptr;
    bool adds = false;  // to what is there; otherwise overwrites it
};

/// Computes a sequence's score. Both throw Cancelled.
SequenceScore read_sequence(const SequenceTask<float>& task);
/// Computes a sequence's score and gradient. The layout of the activations must be one for training.
SequenceScore train_sequence(const SequenceTask<float>& task, const GradientTask<float>& gradient);

/// AdamW for rows [first_row, first_row + rows) of a tensor: p ← p − rate · (m̂ / (√v̂ + ε) + decay · p). Updates both
/// copies of the weights as well.
struct AdamTask {
    const TensorPlace& place;
    int first_row = 0, rows = 0, columns = 0;
    float *parameters = nullptr, *first_moments = nullptr, *second_moments = nullptr;  // [tensor rows, columns]
    float *plain = nullptr, *transposed = nullptr;
    std::span<const float* const> gradients;  // summed in this order
    float first_decay = 0, second_decay = 0, epsilon = 0;
    float first_correction = 1, second_correction = 1;  // 1 / (1 − βᵗ)
    float rate = 0, weight_decay = 0;
};
void update(const AdamTask& task);

}  // namespace ropewalk::training
