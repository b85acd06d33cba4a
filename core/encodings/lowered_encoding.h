// What backends see of an encoding. Every encoding lowers itself to this, so no backend or shader knows any encoding by
// name.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/numbers/phase.h"

namespace ropewalk {

/// The map from a token's position to the position it is rotated by: floor(position / group) + offset.
struct PositionMap {
    int group = 1;
    long double offset = 0;  // tokens; may be fractional

    /// Returns floor(position / group), also for negative positions.
    std::int64_t group_of(std::int64_t position) const {
        if (group == 1) return position;
        const std::int64_t remainder = position % group;
        return (position - remainder) / group - (remainder < 0 ? 1 : 0);
    }

    bool operator==(const PositionMap&) const = default;
};

/// The position maps of queries and keys within one range of distances.
struct Regime {
    PositionMap query, key;

    bool operator==(const Regime&) const = default;
};

/// The regime of all distances ≥ `window` (Self-Extend's grouped attention).
struct FarRegime {
    std::int64_t window = 0;
    Regime maps;

    bool operator==(const FarRegime&) const = default;
};

/// Positions of tokens at unequal distances. Copies share one list; a default-constructed object has none.
class TokenPositions {
  public:
    TokenPositions() = default;
    explicit TokenPositions(std::vector<std::int64_t> positions)
        : list_(std::make_shared<const std::vector<std::int64_t>>(std::move(positions))) {}

    explicit operator bool() const { return list_ != nullptr; }
    int size() const { return list_ ? static_cast<int>(list_->size()) : 0; }
    std::int64_t operator[](int token) const { return (*list_)[static_cast<std::size_t>(token)]; }

    bool operator==(const TokenPositions& other) const {
        return list_ == other.list_ || (list_ && other.list_ && *list_ == *other.list_);
    }

  private:
    std::shared_ptr<const std::vector<std::int64_t>> list_;
};

/// An encoding lowered for one shape. The score of query position m and key position n is
///     attention_scaling² · Σ_t  A_t cos((m'−n')·w_t) + B_t sin((m'−n')·w_t),
/// with A = q₀k₀ + q₁k₁ and B = q₀k₁ − q₁k₀ of pair t, w = inv_freq, and m', n' mapped by the regime of distance m − n.
/// With damping, each pair's term is multiplied by exp(−damping · (m − n)). With added waves nothing rotates: the score
/// is (q + p_m)·(k + p_n). The logit's bias, added after scaling, is −bias_slope · (m − n).
struct LoweredEncoding {
    /// [head_dim / 2], rad/token, of the rotation or of the waves; 0 for a pair that is not rotated. Long double,
    /// because at position 2²⁰ the rounding of a double frequency alone would rotate the pair by 1e-10 rad.
    std::vector<long double> inv_freq;
    double attention_scaling = 1;      // multiplies cosine and sine, so it is squared in the scores
    int rotary_dim = 0;                // leading channels that form rotated pairs; the others form unrotated pairs
    Regime near;                       // for distances below far->window, or for all
    std::optional<FarRegime> far;      //
    double bias_slope = 0;             // logit units per token
    std::vector<long double> damping;  // [head_dim / 2], nepers/token; empty: none
    /// [head_dim] in pair order: 2u adds sin(m·w_u) to the channel, 2u + 1 adds cos(m·w_u), w = inv_freq. Empty: none.
    std::vector<int> added_waves;
    TokenPositions positions;  // replaces start + stride · i; not combined with `far`, bias or damping

    int pairs() const { return static_cast<int>(inv_freq.size()); }
    int head_dim() const { return 2 * pairs(); }

    /// Returns the position of a model's token: its number, or what `positions` lists; after the list, the last one.
    std::int64_t position_in_model(int token) const {
        return positions ? positions[std::min(token, positions.size() - 1)] : token;
    }

    /// Returns whether queries and keys are rotated; if not, waves are added to them.
    bool rotates() const { return added_waves.empty(); }

    /// Returns whether scores and bias depend on the distance of two tokens alone.
    bool relative() const { return rotates() && !positions && !far && near.query.group == 1 && near.key.group == 1; }

    /// Returns the factor from the sum over the pairs to the score.
    double score_scaling() const { return attention_scaling * attention_scaling; }

    /// Returns the position maps of two tokens at `distance`.
    const Regime& maps_at(std::int64_t distance) const { return far && distance >= far->window ? far->maps : near; }

    /// Returns how much a pair is damped over a distance m − n [tokens], in nepers, and the factor exp(−nepers).
    double nepers_over(int pair, std::int64_t distance) const {
        return damping.empty() ? 0 : static_cast<double>(damping[pair] * static_cast<long double>(distance));
    }
    double left_over(int pair, std::int64_t distance) const { return std::exp(-nepers_over(pair, distance)); }

    bool operator==(const LoweredEncoding&) const = default;
};

/// Returns the phase by which `map` rotates a pair of frequency `inv_freq` at `position`.
inline Phase rotation_phase(const PositionMap& map, long double inv_freq, std::int64_t position) {
    return phase_at(map.group_of(position), phase_of(inv_freq)) +
           (map.offset == 0 ? 0 : phase_of(map.offset * inv_freq));
}

/// Rotates every pair of `row` ([head_dim], pair order) as `map` does at `position`, in double. Does nothing for an
/// encoding that adds waves.
inline void rotate(std::span<double> row, const LoweredEncoding& lowered, const PositionMap& map,
                   std::int64_t position) {
    if (!lowered.rotates()) return;
    for (int pair = 0; pair < lowered.pairs(); ++pair) {
        const double angle = angle_of(rotation_phase(map, lowered.inv_freq[pair], position));
        const double x = row[2 * pair], y = row[2 * pair + 1];
        row[2 * pair] = x * std::cos(angle) - y * std::sin(angle);
        row[2 * pair + 1] = x * std::sin(angle) + y * std::cos(angle);
    }
}

/// Returns wave number `wave` (see `added_waves`) at `position`, in double.
inline double wave_at(const LoweredEncoding& lowered, int wave, std::int64_t position) {
    const double angle = angle_of(phase_at(position, phase_of(lowered.inv_freq[wave / 2])));
    return wave % 2 == 0 ? std::sin(angle) : std::cos(angle);
}

/// Encodes `row` ([head_dim], pair order) for the dot product: rotates it, or adds its waves. Damping is not included,
/// because it depends on two tokens.
inline void encode(std::span<double> row, const LoweredEncoding& lowered, const PositionMap& map,
                   std::int64_t position) {
    rotate(row, lowered, map, position);
    for (std::size_t channel = 0; channel < lowered.added_waves.size(); ++channel)
        row[channel] += wave_at(lowered, lowered.added_waves[channel], position);
}

}  // namespace ropewalk
