#include "core/experiment/conform.h"

#include <algorithm>
#include <cmath>

#include "core/models/families/rope_settings.h"
#include "core/models/model.h"

namespace ropewalk {
namespace {

/// Copies to `to` each of a layer's own fields that `from` has, where `replaces(field)` says so.
template <class Replaces>
void take_over(const Experiment& from, Experiment& to, Replaces replaces) {
    const auto take = [&](auto... members) { (..., (replaces(members) ? void(to.*members = from.*members) : void())); };
    take(&Experiment::head_dim, &Experiment::pairing, &Experiment::encoding, &Experiment::rotary_fraction,
         &Experiment::mask, &Experiment::window, &Experiment::scale, &Experiment::scale_value, &Experiment::softcap,
         &Experiment::seed);
}

}  // namespace

Experiment as_trained(Experiment experiment) {
    const auto learned = learned_head_of(experiment.construction);
    if (!learned) return experiment;
    const ModelConfig& config = learned->model->config;
    const LayerConfig& layer =
        config.layers[static_cast<std::size_t>(std::clamp(learned->layer, 0, config.layer_count() - 1))];
    experiment.head_dim = config.head_dim;
    experiment.pairing = Pairing::half_split;
    experiment.encoding = layer.encoding;
    const auto head = static_cast<std::size_t>(std::clamp(learned->head, 0, config.heads - 1));
    if (!layer.encoded_shares.empty() && layer.encoded_shares[head] == 0) experiment.encoding = without_rope();
    if (depends_on_seed(experiment)) experiment.seed = layer.seed;
    experiment.rotary_fraction = layer.rotary_fraction;
    experiment.mask = layer.window > 0 ? Mask::window : Mask::causal;
    if (layer.window > 0) experiment.window = std::clamp(layer.window, 1, longest_sequence);
    experiment.scale = Scale::sqrt_d;
    if (std::abs(config.scale * std::sqrt(static_cast<double>(config.head_dim)) - 1) > 1e-12)
        experiment.scale = Scale::value, experiment.scale_value = config.scale;
    experiment.softcap = config.softcap;
    return experiment;
}

void conform(Experiment& experiment, const Experiment& before) {
    const auto now = learned_head_of(experiment.construction), then = learned_head_of(before.construction);
    if (!now || (then && *now == *then)) return;
    const bool another_model = !then || then->model->hash != now->model->hash;
    if (another_model) {
        const ModelConfig& config = now->model->config;
        set_number(experiment, "construction.layer", std::min(now->layer, config.layer_count() - 1));
        set_number(experiment, "construction.head", std::min(now->head, config.heads - 1));
    }
    if (another_model || then->tokens != now->tokens) experiment.seq_len = std::clamp(now->tokens, 1, longest_sequence);
    const Experiment own = as_trained(experiment), own_before = as_trained(before);
    take_over(own, experiment, [&](auto member) { return another_model || before.*member == own_before.*member; });
}

}  // namespace ropewalk
