#include "core/training/network/network_layout.h"

#include <algorithm>

namespace ropewalk {
namespace {

/// Hands out parts of an array, each aligned to a panel's row.
class Parts {
  public:
    std::size_t take(std::size_t count) {
        const std::size_t offset = end_;
        end_ += (count + panel_columns - 1) / panel_columns * panel_columns;
        return offset;
    }
    PaddedLinear linear(int out, int in) {
        return {take(static_cast<std::size_t>(out) * static_cast<std::size_t>(in)), out, in};
    }
    std::size_t end() const { return end_; }

  private:
    std::size_t end_ = 0;
};

PaddedBlocks whole(int count, int start = 0) {
    return {start, count, padded_to_panels(count)};
}

}  // namespace

WeightLayout::WeightLayout(const NetworkShape& shape) {
    Parts parts;
    const int width = padded_to_panels(shape.width), head = padded_to_panels(shape.head_dim),
              channels = shape.heads * head, hidden = padded_to_panels(shape.feed_forward),
              vocabulary = padded_to_panels(shape.vocabulary);
    const auto norm = [&] {
        const PaddedLinear weights = parts.linear(1, width);
        places.push_back({weights, whole(1), whole(shape.width), false});
        return weights;
    };
    embedding = parts.linear(shape.vocabulary, width);
    places.push_back({embedding, whole(shape.vocabulary), whole(shape.width), false});
    for (int i = 0; i < shape.layers; ++i) {
        LayerWeights layer;
        layer.before_attention = norm();
        layer.query_key_value = parts.linear(3 * channels, width);
        for (int part = 0; part < 3; ++part)
            places.push_back(
                {layer.query_key_value, {part * channels, shape.head_dim, head}, whole(shape.width), true});
        layer.output = parts.linear(width, channels);
        places.push_back({layer.output, whole(shape.width), {0, shape.head_dim, head}});
        if (shape.has_gates()) {
            layer.gates = parts.linear(1, padded_to_panels(shape.heads));
            places.push_back({layer.gates, whole(1), whole(shape.heads), false});
        }
        if (shape.has_mlp()) {
            layer.before_mlp = norm();
            layer.gate_up = parts.linear(2 * hidden, width);
            for (int part = 0; part < 2; ++part)
                places.push_back({layer.gate_up, whole(shape.feed_forward, part * hidden), whole(shape.width)});
            layer.down = parts.linear(width, hidden);
            places.push_back({layer.down, whole(shape.width), whole(shape.feed_forward)});
        }
        layers.push_back(layer);
    }
    last_norm = norm();
    output = parts.linear(vocabulary, width);
    places.push_back({output, whole(shape.vocabulary), whole(shape.width)});
    size = parts.end();
}

ActivationLayout::ActivationLayout(const NetworkShape& shape, int sequence_tokens, Use use)
    : tokens(padded_to_panels(sequence_tokens)),
      width(padded_to_panels(shape.width)),
      head(padded_to_panels(shape.head_dim)),
      channels(shape.heads * head),
      hidden(padded_to_panels(shape.feed_forward)),
      vocabulary(padded_to_panels(shape.vocabulary)) {
    const bool trains = use == Use::training;
    Parts parts;
    const auto rows = [&](int columns) {
        return parts.take(static_cast<std::size_t>(tokens) * static_cast<std::size_t>(columns));
    };
    x = rows(width), normed = rows(width), factors = rows(1);
    query_key_value = rows(3 * channels), mixed = rows(channels);
    const std::size_t row_of_blocks = static_cast<std::size_t>(tokens) * panel_columns;
    weight_row_stride = trains ? row_of_blocks : 0;
    head_weights = trains ? row_of_blocks * static_cast<std::size_t>(tokens / panel_columns) : 0;
    weights = parts.take(std::max(row_of_blocks, head_weights * static_cast<std::size_t>(shape.heads)));
    middle = rows(width);
    if (shape.has_mlp())
        middle_normed = rows(width), middle_factors = rows(1), gate_up = rows(2 * hidden), hidden_values = rows(hidden);
    layer_stride = trains ? parts.end() : 0;
    for (int layer = 1; trains && layer < shape.layers; ++layer) parts.take(layer_stride);

    last = rows(width), last_normed = rows(width), last_factors = rows(1), logits = rows(vocabulary);
    constexpr int most_parts = 3;  // near, far and not encoded
    part_stride = static_cast<std::size_t>(tokens) * static_cast<std::size_t>(head);
    queries = parts.take(most_parts * part_stride), keys = rows(head),
    transposed = parts.take(most_parts * part_stride);
    block_row = parts.take(row_of_blocks);
    if (trains) {
        stream_gradient = rows(width), branch_gradient = rows(width), mixed_gradient = rows(channels);
        channel_gradient = rows(std::max(3 * channels, hidden));
        logit_gradient = parts.take(head_weights), part_gradient = parts.take(head_weights);
        encoded_gradient = rows(head), row_sums = rows(1);
    }
    size = parts.end();
}

}  // namespace ropewalk
