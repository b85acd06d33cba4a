// What backends see of an encoding. Every encoding lowers itself to this; no backend or shader knows any encoding by
// name.
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/phase.h"

namespace ropewalk {

/// How a token's position becomes the position it is rotated by: floor(position / group) + offset.
struct PositionMap {
    int group = 1;
    long double offset = 0;  // tokens; may be fractional

    bool operator==(const PositionMap&) const = default;
};

/// The position maps of queries and keys that hold for a range of distances.
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

/// An encoding made concrete for one shape. The score of query position m and key position n is
///     attention_scaling² · Σ_t  A_t cos((m'−n')·w_t) + B_t sin((m'−n')·w_t),   A = q₀k₀ + q₁k₁,  B = q₀k₁ − q₁k₀ of
///     pair t,
/// with m', n' after the position maps of the regime that the distance m − n falls in, and w = inv_freq.
/// The logit's bias, added after scaling, is −bias_slope · (m − n).
struct Lowered {
    /// [head_dim / 2], rad/token; 0 for a pair that is not rotated. Long double, because at position 2²⁰ the rounding
    /// of a double frequency alone would turn the pair by 1e-10 rad.
    std::vector<long double> inv_freq;
    double attention_scaling = 1;  // multiplies cosine and sine, hence squared in the scores
    int rotary_dim = 0;  // channels that are laid out in rotated pairs; the rest form unrotated pairs among themselves
    Regime near;         // distances below far->window, or all
    std::optional<FarRegime> far;  //
    double bias_slope = 0;         // logit units per token

    int pairs() const { return static_cast<int>(inv_freq.size()); }
    int head_dim() const { return 2 * pairs(); }

    /// Whether scores and bias depend on positions only through their difference.
    bool relative() const { return !far && near.query.group == 1 && near.key.group == 1; }

    bool operator==(const Lowered&) const = default;
};

/// What rotates one pair of one token: the phase that `map` gives `position` at frequency `inv_freq`.
inline Phase rotation_phase(const PositionMap& map, long double inv_freq, std::int64_t position) {
    const std::int64_t group = map.group;
    const std::int64_t grouped = group == 1 ? position : (position - ((position % group) + group) % group) / group;
    return phase_at(grouped, phase_of(inv_freq)) + (map.offset == 0 ? 0 : phase_of(map.offset * inv_freq));
}

/// Turns every pair of `row` ([head_dim], pair order) as `map` turns a token at `position`, in double.
inline void rotate(std::span<double> row, const Lowered& lowered, const PositionMap& map, std::int64_t position) {
    for (int pair = 0; pair < lowered.pairs(); ++pair) {
        const double angle = angle_of(rotation_phase(map, lowered.inv_freq[pair], position));
        const double x = row[2 * pair], y = row[2 * pair + 1];
        row[2 * pair] = x * std::cos(angle) - y * std::sin(angle);
        row[2 * pair + 1] = x * std::sin(angle) + y * std::cos(angle);
    }
}

}  // namespace ropewalk
