#include "core/models/run/intervention.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace ropewalk {
namespace {

bool covers_number(const std::vector<double>& list, int number) {
    return list.empty() || std::find(list.begin(), list.end(), number) != list.end();
}

std::optional<std::string> check_numbers(const char* name, const std::vector<double>& list, int count) {
    for (const double number : list)
        if (number != std::floor(number) || number < 0 || number >= count)
            return fmt::format("{} has {}; each must be a whole number from 0 to {}", name, text_of(number), count - 1);
    return std::nullopt;
}

}  // namespace

bool Intervention::covers(int layer, int head) const {
    return covers_number(layers, layer) && covers_number(heads, head);
}

std::optional<std::string> check_intervention(const Intervention& intervention, const ModelConfig& config, int tokens) {
    if (auto sentence = check_numbers("layers", intervention.layers, config.layer_count())) return sentence;
    if (auto sentence = check_numbers("heads", intervention.heads, config.heads)) return sentence;
    if (intervention.kind != InterventionKind::encoding) return std::nullopt;
    for (const LayerConfig& layer : config.layers)
        if (auto sentence = check(intervention.encoding, Shape{.head_dim = config.head_dim,
                                                               .seq_len = tokens,
                                                               .pairing = Pairing::half_split,
                                                               .rotary_fraction = layer.rotary_fraction}))
            return sentence;
    return std::nullopt;
}

}  // namespace ropewalk
