#include "core/training/recipe.h"

#include <fmt/format.h>

#include <string_view>

#include "core/text/number.h"
#include "core/text/split.h"
#include "core/training/trainer.h"

namespace ropewalk {
namespace {

constexpr std::size_t most_training_bytes = std::size_t{4} << 30;

/// Reads which heads of a layer have the encoding: "all", "none" or "0,2". Returns false if it says anything else.
bool read_layer(std::string_view text, std::vector<bool>& has_rope) {
    if (text == "all" || text == "none") {
        has_rope.assign(has_rope.size(), text == "all");
        return true;
    }
    for (const std::string_view part : split(text, ",")) {
        const auto head = number_of<int>(part);
        if (!head || *head < 0 || *head >= static_cast<int>(has_rope.size()) || has_rope[*head]) return false;
        has_rope[*head] = true;
    }
    return true;
}

/// Returns a sentence if `rope_heads` cannot be read; otherwise sets `all`, [layers, heads].
std::optional<std::string> read_rope_heads(const Recipe& recipe, std::vector<bool>& all) {
    all.assign(static_cast<std::size_t>(recipe.layers) * static_cast<std::size_t>(recipe.heads), true);
    if (recipe.rope_heads == "all" || learns_rope_heads(recipe)) return std::nullopt;
    const auto reject = [&](const std::string& why) {
        return fmt::format(
            "rope_heads is '{}'; {}. It must be all, learned, or a list for each of the {} layers such "
            "as {}, with heads from 0 to {}",
            recipe.rope_heads, why, recipe.layers, recipe.layers == 1 ? "0" : "0;none", recipe.heads - 1);
    };
    const auto layers = split(recipe.rope_heads, ";");
    if (static_cast<int>(layers.size()) != recipe.layers)
        return reject(fmt::format("it has {} of {} lists", layers.size(), recipe.layers));
    all.clear();
    for (const std::string_view layer : layers) {
        std::vector<bool> has_rope(static_cast<std::size_t>(recipe.heads), false);
        if (!read_layer(layer, has_rope)) return reject(fmt::format("'{}' is not a list of heads", layer));
        all.insert(all.end(), has_rope.begin(), has_rope.end());
    }
    return std::nullopt;
}

}  // namespace

std::int64_t parameter_count(const Recipe& recipe) {
    const std::int64_t width = recipe.width, channels = std::int64_t{recipe.heads} * recipe.head_dim;
    const std::int64_t mlp = recipe.feed_forward == 0 ? 0 : width * (3 * std::int64_t{recipe.feed_forward} + 1);
    const std::int64_t gates = learns_rope_heads(recipe) ? recipe.heads : 0;
    return 2 * width * recipe.vocabulary + width + recipe.layers * (4 * width * channels + width + mlp + gates);
}

bool learns_rope_heads(const Recipe& recipe) {
    return recipe.rope_heads == "learned";
}

std::vector<bool> rope_heads(const Recipe& recipe) {
    std::vector<bool> heads;
    read_rope_heads(recipe, heads);
    return heads;
}

std::optional<std::string> validate(const Recipe& recipe) {
    if (auto sentence = check_fields(recipe)) return sentence;
    if (auto sentence = check(recipe.encoding, recipe.shape(recipe.context))) return sentence;
    if (auto sentence = check(recipe.task, recipe.task_shape())) return sentence;
    std::vector<bool> heads;
    if (auto sentence = read_rope_heads(recipe, heads)) return sentence;
    if (const std::size_t bytes = training_bytes(recipe); bytes > most_training_bytes)
        return fmt::format("width is {}; with the other sizes, training takes {} MiB, but it must take at most {} MiB",
                           recipe.width, bytes >> 20, most_training_bytes >> 20);
    return std::nullopt;
}

}  // namespace ropewalk
