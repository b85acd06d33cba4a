// The parts of the experiment that an encoding or a construction may depend on.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/fields/fields.h"

namespace ropewalk {

inline constexpr int longest_sequence = 1 << 20, widest_head = 1024;  // tokens; channels

/// The two channels of a head that rotate together: (2t, 2t+1), or (t, t + d/2).
enum class Pairing { interleaved, half_split };
template <>
struct EnumText<Pairing> {
    static constexpr std::array<EnumName, 2> names{{{"interleaved", "Interleaved"}, {"half_split", "Half split"}}};
};

/// The keys that a query sees: those at or before it, all, or the nearest of those at or before it.
enum class Mask { causal, none, window };
template <>
struct EnumText<Mask> {
    static constexpr std::array<EnumName, 3> names{{{"causal", "Causal"}, {"none", "None"}, {"window", "Window"}}};
};

/// How a cell combines the entries it covers. abs_max is the min or the max, whichever has the larger magnitude, with
/// its sign.
enum class Pooling { mean, min, max, abs_max };
template <>
struct EnumText<Pooling> {
    static constexpr std::array<EnumName, 4> names{
        {{"mean", "Mean"}, {"min", "Min"}, {"max", "Max"}, {"abs_max", "Largest magnitude"}}};
};

/// Equally spaced positions: token i is at start + stride · i.
struct Positions {
    int start = 0, stride = 1;

    bool operator==(const Positions&) const = default;

    static void fields(auto& s, auto&& f) {
        f(Field{.name = "start",
                .label = "First position",
                .advanced = true,
                .min = 0,
                .max = 1 << 30,
                .slider_max = longest_sequence,
                .logarithmic = true,
                .help = "Position of token 0. With a relative encoding it changes nothing."},
          s.start);
        f(Field{.name = "stride",
                .label = "Position stride",
                .advanced = true,
                .unit = "positions",
                .min = 1,
                .max = 65536,
                .slider_max = 1024,
                .logarithmic = true,
                .help = "Distance between neighbouring tokens, in positions."},
          s.stride);
    }
};

struct Shape {
    int head_dim = 0, seq_len = 0;
    Pairing pairing = Pairing::interleaved;
    Positions positions;
    Mask mask = Mask::causal;
    std::int64_t seed = 0;
    double rotary_fraction = 1;  // of the channels, the leading ones

    int pairs() const { return head_dim / 2; }
    /// Returns the number of pairs for a fraction: int(p · d // 2), evaluated from left to right in double as in
    /// p-RoPE's published code; floored, never rounded.
    int pairs_in(double fraction) const { return static_cast<int>(std::floor(fraction * head_dim / 2)); }
    /// Returns the smallest fraction, from count ÷ pairs on, for which `pairs_in` gives `count`.
    double fraction_of(int count) const {
        double fraction = static_cast<double>(count) / pairs();
        while (pairs_in(fraction) < count) fraction = std::nextafter(fraction, 2);
        return fraction;
    }
    /// Returns the fraction of the nearest whole number of pairs; values outside 0 to 1 are returned unchanged.
    double snapped(double fraction) const {
        return fraction >= 0 && fraction <= 1 ? fraction_of(static_cast<int>(std::lround(fraction * pairs())))
                                              : fraction;
    }
    /// Returns the shape of the channels that may rotate: int(d · fraction), as `partial_rotary_factor` counts them.
    Shape rotating() const {
        Shape part = *this;
        part.head_dim = static_cast<int>(head_dim * rotary_fraction);
        part.rotary_fraction = 1;
        return part;
    }
    bool operator==(const Shape&) const = default;
};

/// Returns the number for a pair in a list of one per pair or one for all pairs; the last one where the list is short.
inline double at_pair(const std::vector<double>& list, int pair) {
    return list[std::min(static_cast<std::size_t>(pair), list.size() - 1)];
}

/// Returns a sentence naming `path` if the list has neither one number per pair nor one for all.
inline std::optional<std::string> check_pair_list(const char* path, const std::vector<double>& list,
                                                  const Shape& shape) {
    if (list.size() == 1 || static_cast<int>(list.size()) == shape.pairs()) return std::nullopt;
    return std::string(path) + " has " + std::to_string(list.size()) +
           " values; it must have 1, or one for each of the " + std::to_string(shape.pairs()) + " pairs of head_dim " +
           std::to_string(shape.head_dim);
}

/// The channels of pair t in a row of [head_dim]. The first rotary_dim channels are paired among themselves, and so are
/// the others, which a partial encoding does not rotate.
struct PairLayout {
    Pairing pairing = Pairing::interleaved;
    int head_dim = 0, rotary_dim = 0;

    int first(int pair) const { return channel(pair, 0); }
    int second(int pair) const { return channel(pair, 1); }

  private:
    int channel(int pair, int which) const {
        if (pairing == Pairing::interleaved) return 2 * pair + which;
        const int rotated = rotary_dim / 2, rest = (head_dim - rotary_dim) / 2;
        return pair < rotated ? pair + which * rotated : rotary_dim + (pair - rotated) + which * rest;
    }
};

}  // namespace ropewalk
