#include "app/cli/bench/random_model.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <utility>

#include "core/machine/large_array.h"
#include "core/machine/parallel.h"

namespace ropewalk {
namespace {

/// Returns random weights of about ±1/√columns, so that activations neither grow nor vanish.
Tensor random_tensor(std::int64_t rows, std::int64_t columns) {
    const std::size_t row = static_cast<std::size_t>(columns);
    const std::shared_ptr<std::uint16_t[]> numbers(large_array<std::uint16_t>(static_cast<std::size_t>(rows) * row));
    const int exponent = 127 + std::ilogb(1 / std::sqrt(static_cast<double>(columns)));
    for_each_in_parallel(static_cast<int>(rows), [&](int number) {
        std::uint64_t state = (static_cast<std::uint64_t>(number) + 1) * 0x9e3779b97f4a7c15;
        std::uint16_t* const to = numbers.get() + static_cast<std::size_t>(number) * row;
        for (std::size_t i = 0; i < row; ++i) {
            state ^= state << 13, state ^= state >> 7, state ^= state << 17;
            to[i] = static_cast<std::uint16_t>((state & 0x807f) | static_cast<std::uint64_t>(exponent) << 7);
        }
    });
    return {.dtype = "BF16",
            .type = TensorType::bf16,
            .shape = {rows, columns},
            .data = reinterpret_cast<const std::byte*>(numbers.get()),
            .memory = numbers};
}

LinearWeights random_layer(std::int64_t rows, std::int64_t columns) {
    return {random_tensor(rows, columns), {}, rows, columns, {}};
}

}  // namespace

std::shared_ptr<const Model> random_model(const ModelShape& shape) {
    auto model = std::make_shared<Model>();
    model->config = {.family = "llama",
                     .width = shape.width,
                     .heads = shape.heads,
                     .key_heads = shape.key_heads,
                     .head_dim = shape.head_dim,
                     .feed_forward = shape.feed_forward,
                     .vocabulary = shape.vocabulary,
                     .context = 8192,
                     .layers = std::vector<LayerConfig>(static_cast<std::size_t>(shape.layers)),
                     .scale = 1 / std::sqrt(static_cast<double>(shape.head_dim)),
                     .shares_embeddings = true};
    const NormWeights norm{std::vector<float>(static_cast<std::size_t>(shape.width), 1.0f), {}};
    const std::int64_t queries = std::int64_t{shape.heads} * shape.head_dim,
                       keys = std::int64_t{shape.key_heads} * shape.head_dim;
    for (int layer = 0; layer < shape.layers; ++layer)
        model->layers.push_back({.before_attention = norm,
                                 .before_mlp = norm,
                                 .query = random_layer(queries, shape.width),
                                 .key = random_layer(keys, shape.width),
                                 .value = random_layer(keys, shape.width),
                                 .output = random_layer(shape.width, queries),
                                 .gate = random_layer(shape.feed_forward, shape.width),
                                 .up = random_layer(shape.feed_forward, shape.width),
                                 .down = random_layer(shape.width, shape.feed_forward)});
    model->last_norm = norm;
    model->output = random_layer(shape.vocabulary, shape.width);
    model->embedding = model->output.weight;
    return model;
}

RunRequest prefill_request(const Model& model, int tokens) {
    RunRequest request;
    for (int token = 0; token < tokens; ++token) request.tokens.push_back(token * 7919 % model.config.vocabulary);
    return request;
}

double prefill_flop(const Model& model, int tokens) {
    const auto numbers = [](const LinearWeights& linear) { return static_cast<double>(linear.rows * linear.columns); };
    double weights = numbers(model.output);
    for (const ModelLayer& layer : model.layers)
        for (const LinearWeights* linear :
             {&layer.query, &layer.key, &layer.value, &layer.output, &layer.gate, &layer.up, &layer.down})
            weights += numbers(*linear);
    const ModelConfig& config = model.config;
    return 2 * weights * tokens + 2.0 * tokens * tokens * config.heads * config.head_dim * config.layer_count();
}

}  // namespace ropewalk
