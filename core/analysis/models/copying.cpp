#include "core/analysis/models/copying.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <vector>

#include "core/machine/parallel.h"
#include "core/models/not_finite.h"
#include "core/models/run/linear_layers.h"

namespace ropewalk {
namespace {

/// A linear layer of floats in memory, [rows, columns].
LinearWeights in_memory(const std::vector<float>& values, std::int64_t rows, std::int64_t columns) {
    LinearWeights linear;
    linear.weight.type = TensorType::f32;
    linear.weight.shape = {rows, columns};
    linear.weight.data = reinterpret_cast<const std::byte*>(values.data());
    linear.rows = rows, linear.columns = columns;
    return linear;
}

/// Returns columns [first, first + count) of a layer's weights as a layer of their own.
std::vector<float> columns_of(const LinearWeights& linear, std::int64_t first, std::int64_t count) {
    std::vector<float> columns(static_cast<std::size_t>(linear.rows * count));
    for (std::int64_t row = 0; row < linear.rows; ++row)
        widen(linear.weight, linear.in_tensor.at(row) * linear.columns + first,
              {columns.data() + row * count, static_cast<std::size_t>(count)});
    return columns;
}

}  // namespace

double copying_of(const Model& model, int layer, int head, const Cancel& cancel) {
    constexpr int at_once = 256, most_raised = 10;
    const ModelConfig& config = model.config;
    const ModelLayer& weights = model.layers[static_cast<std::size_t>(layer)];
    const int d = config.head_dim;
    const std::vector<float> values = rows_of(weights.value, std::int64_t{config.key_head(head)} * d, d);
    const std::vector<float> outputs = columns_of(weights.output, std::int64_t{head} * d, d);
    const LinearWeights to_value = in_memory(values, d, config.width), to_stream = in_memory(outputs, config.width, d);
    std::atomic<int> copied = 0;
    std::atomic<bool> are_finite = true;
    for (int first = 0; first < config.vocabulary; first += at_once) {
        const int count = std::min(at_once, config.vocabulary - first);
        Activations embedded(count, config.width);
        std::vector<float> row(static_cast<std::size_t>(config.width));
        for (int i = 0; i < count; ++i) {
            widen(model.embedding, std::int64_t{first + i} * config.width, row);
            for (int channel = 0; channel < config.width; ++channel)
                embedded.at(i, channel) = row[static_cast<std::size_t>(channel)];
        }
        const Activations logits =
            apply(model.output, apply(to_stream, apply(to_value, embedded, cancel), cancel), cancel);
        for_each_in_parallel(count, [&](int i) {
            const float own = logits.at(i, first + i);
            if (!std::isfinite(own)) are_finite = false;
            int above = 0;
            for (int token = 0; token < config.vocabulary; ++token) above += logits.at(i, token) > own ? 1 : 0;
            if (above < most_raised) ++copied;
        });
    }
    model.require_intact();
    if (!are_finite) reject_not_finite(model, {}, output_stage, cancel);
    return static_cast<double>(copied) / config.vocabulary;
}

}  // namespace ropewalk
