#include "core/models/families/family.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "core/models/families/family_list.h"

namespace ropewalk {
namespace {

constexpr int most_layers = 1024;

Activation activation_of(const ConfigReader& reader, const char* otherwise) {
    const std::string name = reader.text({"hidden_activation", "hidden_act"}, otherwise);
    static constexpr std::array<std::pair<std::string_view, Activation>, 6> names{{
        {"silu", Activation::silu},
        {"swish", Activation::silu},
        {"gelu", Activation::gelu_erf},
        {"gelu_pytorch_tanh", Activation::gelu_tanh},
        {"gelu_new", Activation::gelu_tanh},
        {"gelu_fast", Activation::gelu_tanh},
    }};
    const auto found = std::find_if(names.begin(), names.end(), [&](const auto& entry) { return entry.first == name; });
    if (found == names.end())
        reader.root().reject(fmt::format("the activation '{}' is not supported; silu and the forms of gelu are", name));
    return found->second;
}

/// Reads what all families state in the same way.
ModelConfig read_common(const ConfigReader& reader, const ConfigDefaults& defaults) {
    ModelConfig config;
    config.vocabulary = reader.count({"vocab_size"}, defaults.vocabulary);
    config.width = reader.count({"hidden_size"}, defaults.width, 1, 1 << 17);
    config.feed_forward = reader.count({"intermediate_size"}, defaults.feed_forward, 1, 1 << 19);
    config.heads = reader.count({"num_attention_heads"}, defaults.heads, 1, 4096);
    const bool states_no_key_heads = reader.mentions("num_key_value_heads") && !reader.has("num_key_value_heads");
    const int usual = defaults.key_heads > 0 && !states_no_key_heads ? defaults.key_heads : config.heads;
    config.key_heads = reader.count({"num_key_value_heads"}, usual, 1, 4096);
    if (config.heads % config.key_heads != 0)
        reader.root().reject(
            fmt::format("num_key_value_heads is {}; it must divide the {} heads", config.key_heads, config.heads));
    if (!reader.has("head_dim") && defaults.head_dim == 0 && config.width % config.heads != 0)
        reader.root().reject(fmt::format("hidden_size is {}; without head_dim it must be a multiple of the {} heads",
                                         config.width, config.heads));
    config.head_dim =
        reader.count({"head_dim"}, defaults.head_dim > 0 ? defaults.head_dim : std::max(1, config.width / config.heads),
                     2, widest_head);
    if (config.head_dim % 2 != 0)
        reader.root().reject(fmt::format("the head dimension is {}; it must be even, because channels rotate in pairs",
                                         config.head_dim));
    config.context = reader.count({"max_position_embeddings"}, defaults.context, 1, 1 << 30);
    config.norm_epsilon = reader.number({defaults.epsilon_key}, defaults.epsilon);
    if (!(config.norm_epsilon >= 0 && config.norm_epsilon < 1))
        reader.root().at(defaults.epsilon_key).reject("must be from 0 to 1");
    config.activation = activation_of(reader, defaults.activation);
    config.shares_embeddings = reader.flag("tie_word_embeddings", defaults.shares_embeddings);
    config.scale = 1 / std::sqrt(static_cast<double>(config.head_dim));
    const int layers = reader.count({"num_hidden_layers"}, defaults.layers, 1, most_layers);
    config.layers.assign(static_cast<std::size_t>(layers), {});
    return config;
}

}  // namespace

RopeDefaults rope_defaults(const ConfigDefaults& defaults, const ModelConfig& config) {
    return {.base = defaults.base,
            .rotary_fraction = defaults.rotary_fraction,
            .context = defaults.context,
            .head_dim = config.head_dim};
}

const Family& family_of(const ConfigReader& reader) {
    static const auto families = all_families();
    const std::string type = reader.text({"model_type"}, "");
    if (type.empty()) reader.root().reject("has no member 'model_type'; add the model's family, such as \"llama\"");
    for (const Family& family : families)
        if (std::find(family.types.begin(), family.types.end(), type) != family.types.end()) return family;
    std::vector<std::string_view> known;
    for (const Family& family : families) known.insert(known.end(), family.types.begin(), family.types.end());
    reader.root()
        .at("model_type")
        .reject(fmt::format("the family '{}' is not supported; these are: {}", type, fmt::join(known, ", ")));
}

ModelConfig read_config(const Family& family, const ConfigReader& reader) {
    ModelConfig config = read_common(reader, family.defaults);
    config.family = family.types[0];
    family.adapt(reader, config);
    for (int layer = 0; layer < config.layer_count(); ++layer) {
        LayerConfig& at = config.layers[static_cast<std::size_t>(layer)];
        const LayerConfig mask = at;
        at = family.rope(reader, config, family.defaults, layer);
        at.window = mask.window, at.is_local = mask.is_local;
        const Shape shape{.head_dim = config.head_dim, .seq_len = 1, .rotary_fraction = at.rotary_fraction};
        if (const auto sentence = check_fields(ConstChoiceRef(at.encoding).fields())) reader.root().reject(*sentence);
        if (const auto sentence = check(at.encoding, shape)) reader.root().reject(*sentence);
    }
    return config;
}

int sliding_window(const ConfigReader& reader, int otherwise) {
    return reader.count({"sliding_window"}, reader.mentions("sliding_window") ? 0 : otherwise, 0, 1 << 30);
}

void set_windows(const ConfigReader& reader, int window, const std::function<bool(int layer)>& has_window,
                 ModelConfig& config) {
    const std::vector<std::string> types = reader.texts("layer_types");
    if (!types.empty() && static_cast<int>(types.size()) != config.layer_count())
        reader.root()
            .at("layer_types")
            .reject(fmt::format("has {} entries; the model has {} layers", types.size(), config.layer_count()));
    for (int layer = 0; layer < config.layer_count(); ++layer) {
        const bool sliding =
            types.empty() ? has_window(layer) : types[static_cast<std::size_t>(layer)] == "sliding_attention";
        if (!types.empty() && !sliding && types[static_cast<std::size_t>(layer)] != "full_attention")
            reader.root()
                .at("layer_types")
                .at(static_cast<std::size_t>(layer))
                .reject("must be 'full_attention' or 'sliding_attention'; other kinds are not supported");
        config.layers[static_cast<std::size_t>(layer)].window = sliding ? window : 0;
        config.layers[static_cast<std::size_t>(layer)].is_local = sliding;
    }
}

}  // namespace ropewalk
