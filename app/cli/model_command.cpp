#include <fmt/format.h>

#include "app/cli/commands.h"
#include "app/cli/output.h"
#include "app/figures/parts/text/caption.h"
#include "core/constructions/construction.h"
#include "core/experiment/conform.h"
#include "core/experiment/settings.h"
#include "core/fields/fields_io.h"
#include "core/models/not_finite.h"
#include "core/models/open_model.h"
#include "core/models/tokenizer/tokenizer.h"
#include "core/text/utf8.h"

namespace ropewalk {
namespace {

/// Returns the encoding and mask of a layer, as after `--set`.
std::string settings_of(const LayerConfig& layer) {
    Experiment trained;
    trained.encoding = layer.encoding;
    trained.rotary_fraction = layer.rotary_fraction;
    Settings settings = settings_between(Experiment{}, trained);
    settings.insert(settings.begin(), fmt::format("encoding={}", id_of(layer.encoding)));
    if (settings.size() > 1 && settings[1] == settings[0]) settings.erase(settings.begin());
    if (layer.window > 0) settings.push_back(fmt::format("window={}", layer.window));
    return in_one_line(settings);
}

/// Returns "layers 0 to 5", or a list where they do not follow each other.
std::string layers_text(const std::vector<int>& layers) {
    if (layers.size() == 1) return fmt::format("layer {}", layers[0]);
    const bool in_turn = layers.back() - layers.front() + 1 == static_cast<int>(layers.size());
    return in_turn ? fmt::format("layers {} to {}", layers.front(), layers.back())
                   : fmt::format("layers {}", fmt::join(layers, ", "));
}

std::string tokenizer_text(const Model& model) {
    return model.tokenizer ? model.tokenizer->description() : "none: " + model.tokenizer_problem;
}

/// What was found among a model's weights; nothing if they were too many to look at.
using FoundWeights = std::optional<std::vector<NotFinite>>;

FoundWeights found_among(const Model& model) {
    constexpr std::int64_t most_parameters = std::int64_t{1} << 29;  // a second
    if (model.parameters > most_parameters) return std::nullopt;
    return all_not_finite(model);
}

std::string weights_text(const FoundWeights& found) {
    if (!found) return "not checked for NaN (more than 537 million)";
    if (found->empty()) return "all finite";
    std::string text = found->front().sentence();
    if (const std::size_t more = found->size() - 1; more > 0)
        text += fmt::format("; {} more {} affected", more, more == 1 ? "tensor is" : "tensors are");
    return text;
}

std::string as_text(const Model& model, const FoundWeights& found) {
    const ModelConfig& config = model.config;
    std::string text =
        fmt::format("{}: {}, {} layers of {} heads with {} channels ({} key heads), width {}\n", model.folder,
                    config.family, config.layer_count(), config.heads, config.head_dim, config.key_heads, config.width);
    text += fmt::format("{} parameters, vocabulary {}, trained for {} positions\n", model.parameters, config.vocabulary,
                        config.context);
    std::vector<std::pair<std::string, std::vector<int>>> alike;
    for (int layer = 0; layer < config.layer_count(); ++layer) {
        const std::string settings = settings_of(config.layers[static_cast<std::size_t>(layer)]);
        const auto same =
            std::find_if(alike.begin(), alike.end(), [&](const auto& kind) { return kind.first == settings; });
        if (same == alike.end())
            alike.push_back({settings, {layer}});
        else
            same->second.push_back(layer);
    }
    for (const auto& [settings, layers] : alike) text += fmt::format("{}: {}\n", layers_text(layers), settings);
    text += fmt::format("tokenizer: {}\n", tokenizer_text(model));
    text += fmt::format("weights: {}\n", weights_text(found));
    if (!model.unused.empty())
        text += fmt::format("unused tensors: {}\n", brief(fmt::format("{}", fmt::join(model.unused, ", "))));
    return text;
}

nlohmann::json as_json(const FoundWeights& found) {
    if (!found) return nullptr;
    nlohmann::json list = nlohmann::json::array();
    for (const NotFinite& each : *found)
        list.push_back({{"tensor", each.tensor}, {"count", each.count}, {"first", each.first}});
    return list;
}

nlohmann::json as_json(const Model& model, const FoundWeights& found) {
    const ModelConfig& config = model.config;
    nlohmann::json encodings = nlohmann::json::array();
    for (const LayerConfig& layer : config.layers)
        encodings.push_back({{"encoding", to_json(ConstChoiceRef(layer.encoding))},
                             {"rotary_fraction", layer.rotary_fraction},
                             {"window", layer.window}});
    return {{"family", config.family},
            {"width", config.width},
            {"layers", config.layer_count()},
            {"heads", config.heads},
            {"key_heads", config.key_heads},
            {"head_dim", config.head_dim},
            {"feed_forward", config.feed_forward},
            {"vocabulary", config.vocabulary},
            {"context", config.context},
            {"parameters", model.parameters},
            {"encodings", std::move(encodings)},
            {"tokenizer", tokenizer_text(model)},
            {"not_finite", as_json(found)},
            {"unused", model.unused}};
}

}  // namespace

void describe_model(const Arguments& arguments) {
    const auto model = open_model(path_of_model(arguments.file));
    if (!model->tokenizer) say(fmt::format("note: text cannot be split into tokens: {}", model->tokenizer_problem));
    const FoundWeights found = found_among(*model);
    if (found && !found->empty()) say("note: " + weights_text(found));
    if (arguments.json)
        print_json(as_json(*model, found));
    else
        print(as_text(*model, found));
}

}  // namespace ropewalk
