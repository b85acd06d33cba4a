#include "core/training/trained_model.h"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <mutex>
#include <string>
#include <utility>

#include "core/error.h"
#include "core/fields/fields.h"
#include "core/memo.h"
#include "core/numbers/hash.h"
#include "core/training/network/parameter_list.h"
#include "core/training/trainer.h"

namespace ropewalk {
namespace {

/// Tensors by name, in memory that they share.
class OwnedTensors {
  public:
    OwnedTensors(const NetworkShape& shape, std::span<const float> parameters)
        : numbers_(std::make_shared<const std::vector<float>>(parameters.begin(), parameters.end())) {
        for (ParameterTensor& part : parameter_list(shape)) {
            const float* const data = numbers_->data() + part.offset;
            tensors_.emplace(part.name, Tensor{.name = part.name,
                                               .dtype = "F32",
                                               .type = TensorType::f32,
                                               .shape = std::move(part.shape),
                                               .data = reinterpret_cast<const std::byte*>(data),
                                               .file = nullptr,
                                               .memory = numbers_});
        }
    }

    const Tensor& at(const std::string& name) const { return tensors_.at(name); }
    LinearWeights linear(const std::string& name) const {
        const Tensor& tensor = at(name + ".weight");
        return {tensor, {}, tensor.shape[0], tensor.shape[1], {}};
    }
    NormWeights norm(const std::string& name) const {
        const Tensor& tensor = at(name + ".weight");
        return {tensor.widened(), {}, tensor.where()};
    }

  private:
    std::shared_ptr<const std::vector<float>> numbers_;
    std::map<std::string, Tensor> tensors_;
};

/// Returns the share of encoded logits of each head of a layer; empty if all are 1. `gates` are those of its heads, if
/// the recipe learns them.
std::vector<double> encoded_shares(const NetworkShape& shape, int layer, std::span<const float> gates) {
    std::vector<double> shares;
    for (const float gate : gates) shares.push_back(1 / (1 + std::exp(-static_cast<double>(gate))));
    if (shape.has_gates()) return shares;
    bool all = true;
    for (int head = 0; head < shape.heads; ++head) {
        const bool is_encoded = shape.kind(layer, head) == HeadKind::encoded;
        shares.push_back(is_encoded ? 1 : 0);
        all = all && is_encoded;
    }
    return all ? std::vector<double>() : shares;
}

/// Returns the config of the recipe's model. `gates_of(layer)` are the gates of a layer's heads, if they are learned.
template <class GatesOf>
ModelConfig config_of(const Recipe& recipe, const NetworkShape& shape, GatesOf gates_of) {
    ModelConfig config;
    config.family = "llama";
    config.width = recipe.width, config.feed_forward = recipe.feed_forward;
    config.heads = config.key_heads = recipe.heads, config.head_dim = recipe.head_dim;
    config.vocabulary = recipe.vocabulary, config.context = recipe.context;
    config.scale = 1 / std::sqrt(static_cast<double>(recipe.head_dim));
    for (int layer = 0; layer < recipe.layers; ++layer) {
        const std::vector<float> gates = shape.has_gates() ? gates_of(layer) : std::vector<float>();
        LayerConfig own;
        own.encoding = recipe.encoding, own.seed = recipe.seed;
        own.encoded_shares = encoded_shares(shape, layer, gates);
        config.layers.push_back(std::move(own));
    }
    return config;
}

std::vector<std::string> token_names(const Recipe& recipe) {
    std::vector<std::string> all;
    for (int token = 0; token < recipe.vocabulary; ++token)
        all.push_back(token_name(recipe.task, recipe.vocabulary, token));
    return all;
}

constexpr auto no_tokenizer = "the model was trained on numbered tokens, not on text";

ModelLayer layer_of(const NetworkShape& shape, int layer, const OwnedTensors& tensors) {
    const std::string at = fmt::format("model.layers.{}.", layer), attention = at + "self_attn.", mlp = at + "mlp.";
    ModelLayer weights;
    weights.before_attention = tensors.norm(at + "input_layernorm");
    weights.query = tensors.linear(attention + "q_proj"), weights.key = tensors.linear(attention + "k_proj");
    weights.value = tensors.linear(attention + "v_proj"), weights.output = tensors.linear(attention + "o_proj");
    if (!shape.has_mlp()) return weights;
    weights.before_mlp = tensors.norm(at + "post_attention_layernorm");
    weights.gate = tensors.linear(mlp + "gate_proj"), weights.up = tensors.linear(mlp + "up_proj");
    weights.down = tensors.linear(mlp + "down_proj");
    return weights;
}

/// Returns a hash of the parameters and of what else determines the model's output.
std::uint64_t hash_of(const Recipe& recipe, const ModelConfig& config, std::span<const float> parameters) {
    std::uint64_t hash = hash_text({reinterpret_cast<const char*>(parameters.data()), parameters.size_bytes()});
    hash = hash_text(fmt::format("{} {} {} {} {} {} {}", recipe.layers, recipe.heads, recipe.head_dim, recipe.width,
                                 recipe.feed_forward, recipe.vocabulary, recipe.context),
                     hash);
    for (const LayerConfig& layer : config.layers)
        hash = hash_text(fmt::format("{} {}", layer.seed, fmt::join(layer.encoded_shares, ",")), hash);
    const LoweredEncoding lowered = lower(recipe.encoding, recipe.shape(recipe.context));
    for (int pair = 0; pair < lowered.pairs(); ++pair)
        hash = hash_text(fmt::format("{}", static_cast<double>(lowered.inv_freq[pair])), hash);
    return hash_text(fmt::format("{} {} {}", recipe.encoding.index(), lowered.attention_scaling, lowered.bias_slope),
                     hash);
}

}  // namespace

std::shared_ptr<const Model> trained_model(const Recipe& recipe, std::span<const float> parameters) {
    const NetworkShape shape = network_shape(recipe);
    ensure(parameters.size() == parameter_count(shape), "the parameters belong to another network");
    const OwnedTensors tensors(shape, parameters);
    auto model = std::make_shared<Model>();
    model->config = config_of(recipe, shape, [&](int layer) {
        return tensors.at(fmt::format("model.layers.{}.self_attn.rope_gate", layer)).widened();
    });
    for (int layer = 0; layer < recipe.layers; ++layer) model->layers.push_back(layer_of(shape, layer, tensors));
    model->token_names = token_names(recipe);
    model->embedding = tensors.at("model.embed_tokens.weight");
    model->last_norm = tensors.norm("model.norm");
    model->output = tensors.linear("lm_head");
    model->tokenizer_problem = no_tokenizer;
    model->hash = hash_of(recipe, model->config, parameters);
    model->parameters = static_cast<std::int64_t>(parameters.size());
    return model;
}

std::shared_ptr<const Model> model_without_weights(const Recipe& recipe) {
    static std::mutex mutex;
    static Memo<Recipe, Model> known(4);
    const std::lock_guard lock(mutex);
    return known.get(recipe, [&] {
        const NetworkShape shape = network_shape(recipe);
        Model model;
        model.config = config_of(recipe, shape, [&](int) { return std::vector<float>(std::size_t(shape.heads)); });
        model.token_names = token_names(recipe);
        model.tokenizer_problem = no_tokenizer;
        Recipe same_start = recipe;
        const Recipe usual;
        same_start.task = usual.task, same_start.batch = usual.batch, same_start.steps = usual.steps;
        same_start.learning_rate = usual.learning_rate, same_start.weight_decay = usual.weight_decay;
        model.hash = hash_fields(same_start);
        model.parameters = static_cast<std::int64_t>(parameter_count(shape));
        return model;
    });
}

}  // namespace ropewalk
