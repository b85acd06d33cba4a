#include "core/models/run/head_plans.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <span>

namespace ropewalk {
namespace {

/// Marks the `count` pairs of a head with the largest product of mean ‖q_t‖ and mean ‖k_t‖.
std::vector<bool> largest_pairs(const LayerCapture& capture, int head, int key_head, const PairLayout& layout,
                                int count) {
    const int pairs = layout.head_dim / 2;
    std::vector<double> query(static_cast<std::size_t>(pairs)), key(query);
    for (int token = 0; token < capture.tokens; ++token)
        for (int pair = 0; pair < pairs; ++pair) {
            const auto length = [&](std::span<const float> row) {
                return std::hypot(static_cast<double>(row[layout.first(pair)]),
                                  static_cast<double>(row[layout.second(pair)]));
            };
            query[pair] += length(capture.query(head, token));
            key[pair] += length(capture.key(key_head, token));
        }
    std::vector<int> order(static_cast<std::size_t>(pairs));
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return query[a] * key[a] > query[b] * key[b]; });
    std::vector<bool> marked(static_cast<std::size_t>(pairs), false);
    for (int i = 0; i < std::min(count, pairs); ++i) marked[static_cast<std::size_t>(order[i])] = true;
    return marked;
}

bool rotates(const LoweredEncoding& lowered) {
    return std::any_of(lowered.inv_freq.begin(), lowered.inv_freq.end(), [](long double w) { return w != 0; });
}

/// Applies an intervention to one head of a layer.
void change(const Intervention& intervention, const ModelConfig& config, const LayerCapture& capture, int layer,
            int head, PreparedEncodings& encodings, HeadPlan& plan) {
    using Kind = InterventionKind;
    const LoweredEncoding& lowered = plan.positions->lowered();
    const double rotary_fraction = config.layers[static_cast<std::size_t>(layer)].rotary_fraction;
    switch (intervention.kind) {
        case Kind::rotation_off:
            plan.positions = encodings.without_rotation(lowered);
            plan.unrotated = nullptr;
            break;
        case Kind::encoding: plan.positions = encodings.get(intervention.encoding, rotary_fraction); break;
        case Kind::zero_output: plan.is_silent = true; break;
        case Kind::only_pairs:
        case Kind::without_pairs: {
            const PairLayout layout{Pairing::half_split, config.head_dim, lowered.rotary_dim};
            plan.silent_pairs = largest_pairs(capture, head, config.key_head(head), layout, intervention.pairs);
            if (intervention.kind == Kind::only_pairs) plan.silent_pairs.flip();
        }
    }
}

}  // namespace

std::vector<HeadPlan> head_plans(const ModelConfig& config, const RunRequest& request, const LayerCapture& capture,
                                 int layer, PreparedEncodings& encodings) {
    const LayerConfig& own = config.layers[static_cast<std::size_t>(layer)];
    auto positions = encodings.get(own.encoding, own.rotary_fraction, own.seed);
    if (const auto& changed = request.encoding; changed && rotates(positions->lowered()))
        if (config.layers[static_cast<std::size_t>(changed->like)].encoding == own.encoding)
            positions = encodings.get(changed->lowered);
    std::vector<HeadPlan> plans(static_cast<std::size_t>(config.heads), HeadPlan{positions});
    for (std::size_t head = 0; head < own.encoded_shares.size(); ++head) {
        const double share = own.encoded_shares[head];
        if (share == 1) continue;
        const auto unrotated = encodings.without_rotation(positions->lowered());
        if (share == 0)
            plans[head].positions = unrotated;
        else
            plans[head].unrotated = unrotated, plans[head].encoded_share = share;
    }
    // Pairs are chosen last, among those of the encoding with which the head attends.
    std::vector<Intervention> interventions = request.interventions;
    std::stable_partition(interventions.begin(), interventions.end(), std::not_fn(&Intervention::chooses_pairs));
    for (const Intervention& intervention : interventions)
        for (int head = 0; head < config.heads; ++head)
            if (intervention.covers(layer, head))
                change(intervention, config, capture, layer, head, encodings, plans[static_cast<std::size_t>(head)]);
    return plans;
}

}  // namespace ropewalk
