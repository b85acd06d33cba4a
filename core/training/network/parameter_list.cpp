#include "core/training/network/parameter_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/numbers/random.h"

namespace ropewalk {
namespace {

/// Returns the standard deviation of a tensor that starts at random.
double deviation_of(const ParameterTensor& tensor, double embedding_scale) {
    if (tensor.start == Start::embedding) return embedding_scale;
    return 1 / std::sqrt((tensor.start == Start::layer ? 4.0 : 1.0) * tensor.columns());
}

}  // namespace

std::vector<ParameterTensor> parameter_list(const NetworkShape& shape) {
    std::vector<ParameterTensor> list;
    std::size_t offset = 0;
    const auto add = [&](std::string name, std::vector<std::int64_t> extents, Start start) {
        list.push_back({std::move(name), std::move(extents), offset, start});
        offset += list.back().count();
    };
    const std::int64_t width = shape.width, channels = std::int64_t{shape.heads} * shape.head_dim,
                       hidden = shape.feed_forward;
    add("model.embed_tokens.weight", {shape.vocabulary, width}, Start::embedding);
    for (int layer = 0; layer < shape.layers; ++layer) {
        const std::string at = fmt::format("model.layers.{}.", layer);
        add(at + "input_layernorm.weight", {width}, Start::ones);
        for (const char* name : {"q", "k", "v"})
            add(at + fmt::format("self_attn.{}_proj.weight", name), {channels, width}, Start::layer);
        add(at + "self_attn.o_proj.weight", {width, channels}, Start::layer);
        if (shape.has_gates()) add(at + "self_attn.rope_gate", {shape.heads}, Start::zeros);
        if (!shape.has_mlp()) continue;
        add(at + "post_attention_layernorm.weight", {width}, Start::ones);
        add(at + "mlp.gate_proj.weight", {hidden, width}, Start::layer);
        add(at + "mlp.up_proj.weight", {hidden, width}, Start::layer);
        add(at + "mlp.down_proj.weight", {width, hidden}, Start::layer);
    }
    add("model.norm.weight", {width}, Start::ones);
    add("lm_head.weight", {shape.vocabulary, width}, Start::output);
    return list;
}

std::size_t parameter_count(const NetworkShape& shape) {
    const ParameterTensor last = parameter_list(shape).back();
    return last.offset + last.count();
}

std::vector<float> initial_parameters(const NetworkShape& shape, double embedding_scale, std::int64_t seed) {
    std::vector<float> parameters(parameter_count(shape));
    std::uint32_t drawn = 0;  // tensors so far, so that gates change the start of no other
    for (const ParameterTensor& part : parameter_list(shape)) {
        const auto columns = static_cast<std::size_t>(part.columns());
        float* const to = parameters.data() + part.offset;
        if (part.start == Start::ones || part.start == Start::zeros) {
            std::fill_n(to, part.count(), part.start == Start::ones ? 1.0f : 0.0f);
            continue;
        }
        const double deviation = deviation_of(part, embedding_scale);
        std::vector<double> row(columns);
        const std::uint32_t sample = drawn++;
        for (int r = 0; r < part.rows(); ++r) {
            fill_gaussian({.seed = seed,
                           .sample = sample,
                           .stream = RandomStream::weights,
                           .token = static_cast<std::uint32_t>(r)},
                          row);
            for (std::size_t c = 0; c < columns; ++c)
                to[static_cast<std::size_t>(r) * columns + c] = static_cast<float>(deviation * row[c]);
        }
    }
    return parameters;
}

}  // namespace ropewalk
