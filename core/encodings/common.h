// What several encodings share: the frequency ladder and the fields that mean the same everywhere.
#pragma once

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "core/encodings/lowered_encoding.h"
#include "core/fields/fields.h"
#include "core/fields/shape.h"

namespace ropewalk {

/// What an encoding may say or do beyond its fields; each encoding derives from it and redefines what it needs.
struct EncodingDefaults {
    static constexpr auto source = "";

    /// Returns a sentence if the encoding rejects the shape.
    std::optional<std::string> check(const Shape&) const { return std::nullopt; }
    /// Returns one line to show beside its controls; captions show it up to its first colon.
    std::string note(const Shape&) const { return {}; }
    /// Sets the fields to extend a context of `trained` tokens `s` times. Returns false if that is not what it is for.
    bool extend(double /*s*/, int /*trained*/) { return false; }
    /// Returns its title among the extension methods; empty where it would equal another method there. By default its
    /// own title.
    std::optional<std::string> extended_title() const { return std::nullopt; }
    /// Sets the fields so that `fraction` of the pairs rotate. Returns false if that is not what it is for.
    bool truncate_to(double /*fraction*/, const Shape&) { return false; }

    bool operator==(const EncodingDefaults&) const = default;
};

/// base^(−2t/dim) in rad/token, the inverse frequency of pair t (RoFormer eq. 15, counting t from 0).
inline long double ladder_frequency(double base, int pair, int dim) {
    return std::pow(static_cast<long double>(base), -2.0L * pair / dim);
}

/// The whole ladder of a head, [head_dim / 2].
inline std::vector<long double> frequency_ladder(double base, int head_dim) {
    std::vector<long double> inv_freq(static_cast<std::size_t>(head_dim / 2));
    for (int pair = 0; pair < head_dim / 2; ++pair) inv_freq[pair] = ladder_frequency(base, pair, head_dim);
    return inv_freq;
}

/// The ladder of the base that NTK-aware scaling by α gives, base · α^(d/(d−2)): pair t is α^(2t/(d−2)) times slower.
inline std::vector<long double> ntk_ladder(double base, long double alpha, int head_dim) {
    auto inv_freq = frequency_ladder(base, head_dim);
    for (int pair = 0; pair < head_dim / 2; ++pair) inv_freq[pair] /= std::pow(alpha, 2.0L * pair / (head_dim - 2));
    return inv_freq;
}

/// The exponent d/(d−2) of NTK-aware scaling needs two pairs.
inline std::optional<std::string> check_base_can_change(const Shape& shape) {
    if (shape.head_dim >= 4) return std::nullopt;
    return "head_dim is " + std::to_string(shape.head_dim) +
           "; it must be at least 4 for an encoding that scales the base, because one pair has no slower one";
}

/// An encoding that does nothing but rotate by these frequencies.
inline LoweredEncoding rotation_only(std::vector<long double> inv_freq) {
    LoweredEncoding lowered;
    lowered.rotary_dim = static_cast<int>(2 * inv_freq.size());
    lowered.inv_freq = std::move(inv_freq);
    return lowered;
}

inline constexpr double usual_bases[] = {10'000, 500'000, 1'000'000};

inline constexpr Field base_field{.name = "base",
                                  .label = "Base θ",
                                  .min = 1,
                                  .max = 1e15,
                                  .slider_min = 10,
                                  .slider_max = 1e8,
                                  .logarithmic = true,
                                  .marks = usual_bases,
                                  .meaning = Meaning::base,
                                  .help =
                                      "wₜ = θ^(−2t/d): the larger the base, the slower the slow pairs turn. 10 000 in "
                                      "RoFormer, 500 000 in Llama 3, 1 000 000 in many long-context models."};

inline constexpr Field factor_field{.name = "factor",
                                    .label = "Factor s",
                                    .unit = "×",
                                    .min = 1e-3,
                                    .max = 1e6,
                                    .slider_min = 1,
                                    .slider_max = 64,
                                    .logarithmic = true,
                                    .meaning = Meaning::extension_factor,
                                    .help = "How many times the trained context is to be extended."};

inline constexpr Field original_length_field{.name = "original_length",
                                             .label = "Trained context L",
                                             .unit = "tokens",
                                             .min = 1,
                                             .max = 1 << 24,
                                             .slider_min = 256,
                                             .slider_max = longest_sequence,
                                             .logarithmic = true,
                                             .meaning = Meaning::trained_context,
                                             .help = "The context length that the model was trained on."};

}  // namespace ropewalk
