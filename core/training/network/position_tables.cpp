#include "core/training/network/position_tables.h"

#include "core/fields/shape.h"
#include "core/numbers/portable_math.h"
#include "core/training/network/network_layout.h"

namespace ropewalk {
namespace {

/// Pairs as in Hugging Face's Llama.
PairLayout llama_pairs(const LoweredEncoding& lowered) {
    return {Pairing::half_split, lowered.head_dim(), lowered.rotary_dim};
}

}  // namespace

template <class T>
PositionTables<T>::PositionTables(const LoweredEncoding& lowered, int tokens)
    : tokens_(padded_to_panels(tokens)), channels_(padded_to_panels(lowered.head_dim())) {
    const PairLayout layout = llama_pairs(lowered);
    for (int channel = 0; channel < channels_; ++channel) partners_.push_back(channel);
    for (int pair = 0; pair < lowered.pairs(); ++pair) {
        partners_[layout.first(pair)] = layout.second(pair), partners_[layout.second(pair)] = layout.first(pair);
        panels_rotate_ = panels_rotate_ && (layout.second(pair) - layout.first(pair)) % panel_columns == 0;
    }
    const bool rotates = lowered.rotates();
    const auto part_of = [&](const Regime& regime) {
        LogitPart<T> part;
        part.query = rotates ? rotation(lowered, regime.query) : waves(lowered);
        part.key = rotates && regime.key != regime.query ? rotation(lowered, regime.key) : part.query;
        part.bias_slope = static_cast<T>(lowered.bias_slope);
        part.damping = lowered.damping.empty() ? nullptr : damping(lowered);
        return part;
    };
    encoded_.push_back(part_of(lowered.near));
    if (lowered.far && lowered.far->window < tokens) {
        encoded_.push_back(part_of(lowered.far->maps));
        encoded_[0].end = encoded_[1].first = static_cast<int>(lowered.far->window);
    }
    plain_.emplace_back();
    for (LogitPart<T> part : encoded_) part.weight = LogitPart<T>::Weight::gate, gated_.push_back(part);
    gated_.emplace_back().weight = LogitPart<T>::Weight::rest;
}

template <class T>
T* PositionTables<T>::table(std::size_t count) {
    return tables_.emplace_back(count, T{0}).data();
}

template <class T>
SideTables<T> PositionTables<T>::rotation(const LoweredEncoding& lowered, const PositionMap& map) {
    const std::size_t count = static_cast<std::size_t>(tokens_) * static_cast<std::size_t>(channels_);
    T *const cosines = table(count), *const sines = table(count);
    const PairLayout layout = llama_pairs(lowered);
    for (int pair = 0; pair < lowered.pairs(); ++pair) {
        const double factor = 2 * pair < lowered.rotary_dim ? lowered.attention_scaling : 1;
        for (int token = 0; token < tokens_; ++token) {
            const auto [sine, cosine] =
                portable_sine_and_cosine(rotation_phase(map, lowered.inv_freq[pair], lowered.position_in_model(token)));
            for (const int channel : {layout.first(pair), layout.second(pair)}) {
                const std::size_t at = panel_entry(token, channel, tokens_);
                cosines[at] = static_cast<T>(factor * cosine);
                sines[at] = static_cast<T>(factor * (channel == layout.first(pair) ? -sine : sine));
            }
        }
    }
    return {cosines, sines, nullptr};
}

template <class T>
SideTables<T> PositionTables<T>::waves(const LoweredEncoding& lowered) {
    T* const waves = table(static_cast<std::size_t>(tokens_) * static_cast<std::size_t>(channels_));
    const PairLayout layout = llama_pairs(lowered);
    for (int pair = 0; pair < lowered.pairs(); ++pair)
        for (int which = 0; which < 2; ++which)
            for (int token = 0; token < tokens_; ++token) {
                const int wave = lowered.added_waves[2 * pair + which];
                const auto [sine, cosine] =
                    portable_sine_and_cosine(phase_at(token, phase_of(lowered.inv_freq[wave / 2])));
                waves[panel_entry(token, which == 0 ? layout.first(pair) : layout.second(pair), tokens_)] =
                    static_cast<T>(wave % 2 == 0 ? sine : cosine);
            }
    return {nullptr, nullptr, waves};
}

template <class T>
const T* PositionTables<T>::damping(const LoweredEncoding& lowered) {
    T* const factors = table(static_cast<std::size_t>(tokens_) * static_cast<std::size_t>(channels_));
    const PairLayout layout = llama_pairs(lowered);
    for (int distance = 0; distance < tokens_; ++distance)
        for (int pair = 0; pair < lowered.pairs(); ++pair) {
            const double factor = portable_exp_of_nonpositive(-lowered.nepers_over(pair, distance));
            for (const int channel : {layout.first(pair), layout.second(pair)})
                factors[static_cast<std::size_t>(distance) * static_cast<std::size_t>(channels_) + channel] =
                    static_cast<T>(factor);
        }
    return factors;
}

template class PositionTables<float>;
template class PositionTables<double>;

}  // namespace ropewalk
