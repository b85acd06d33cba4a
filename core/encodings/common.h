// What several encodings share: the RoPE frequencies and common fields.
#pragma once

#include <algorithm>
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

    /// Returns whether the positions are drawn with the experiment's seed.
    bool depends_on_seed() const { return false; }
    /// Returns a sentence if the encoding rejects the shape.
    std::optional<std::string> check(const Shape&) const { return std::nullopt; }
    /// Returns one line to show beside its controls; captions show it up to its first colon.
    std::string note(const Shape&) const { return {}; }
    /// Returns NumPy code that computes the frequencies `w` from `d` and `t`; empty if they follow from no formula.
    std::string numpy(const Shape&) const { return {}; }
    /// Sets the fields to extend a context of `trained` tokens `s` times. Returns false if that is not what it is for.
    bool extend(double /*s*/, int /*trained*/) { return false; }
    /// Returns its title among the extension methods; empty where it would equal another method there. By default its
    /// own title.
    std::optional<std::string> extended_title() const { return std::nullopt; }
    /// Sets the fields so that `fraction` of the pairs rotate. Returns false if that is not what it is for.
    bool truncate_to(double /*fraction*/, const Shape&) { return false; }

    bool operator==(const EncodingDefaults&) const = default;
};

/// Returns base^(−2t/dim) in rad/token, the frequency of pair t (RoFormer eq. 15, counting t from 0).
inline long double rope_frequency(double base, int pair, int dim) {
    return std::pow(static_cast<long double>(base), -2.0L * pair / dim);
}

/// Returns NumPy code that defines the base and then `w` by this expression.
inline std::string numpy_frequencies(double base, const std::string& w) {
    return "base = " + text_of(base) + "\nw = " + w + "\n";
}
inline constexpr auto numpy_rope = "base**(-2*t/d)";

/// Returns the RoPE frequencies of a head, [head_dim / 2], in rad/token.
inline std::vector<long double> rope_frequencies(double base, int head_dim) {
    std::vector<long double> inv_freq(static_cast<std::size_t>(head_dim / 2));
    for (int pair = 0; pair < head_dim / 2; ++pair) inv_freq[pair] = rope_frequency(base, pair, head_dim);
    return inv_freq;
}

/// Returns the RoPE frequencies for the base of NTK-aware scaling by α, base · α^(d/(d−2)), [head_dim / 2]. This
/// divides the frequency of pair t by α^(2t/(d−2)).
inline std::vector<long double> ntk_frequencies(double base, long double alpha, int head_dim) {
    auto inv_freq = rope_frequencies(base, head_dim);
    for (int pair = 0; pair < head_dim / 2; ++pair) inv_freq[pair] /= std::pow(alpha, 2.0L * pair / (head_dim - 2));
    return inv_freq;
}

/// Returns an error sentence for a head of one pair: NTK-aware scaling has the exponent d/(d−2).
inline std::optional<std::string> check_base_can_change(const Shape& shape) {
    if (shape.head_dim >= 4) return std::nullopt;
    return "head_dim is " + std::to_string(shape.head_dim) +
           "; it must be at least 4 for an encoding that scales the base";
}

/// Returns an encoding that only rotates, by `inv_freq` [head_dim / 2].
inline LoweredEncoding rotation_only(std::vector<long double> inv_freq) {
    LoweredEncoding lowered;
    lowered.rotary_dim = static_cast<int>(2 * inv_freq.size());
    lowered.inv_freq = std::move(inv_freq);
    return lowered;
}

inline constexpr double usual_bases[] = {10'000, 500'000, 1'000'000};

inline constexpr Field base_field{
    .name = "base",
    .label = "Base θ",
    .min = 1,
    .max = 1e15,
    .slider_min = 10,
    .slider_max = 1e8,
    .logarithmic = true,
    .marks = usual_bases,
    .meaning = Meaning::base,
    .help =
        "$w_t=\\theta^{-2t/d}$: a larger base slows the slow pairs. RoFormer uses 10 000, Llama 3 "
        "uses 500 000, and many long-context models use 1 000 000."};

inline constexpr double usual_factors[] = {2, 4, 8, 16, 32};

inline constexpr Field factor_field{.name = "factor",
                                    .label = "Factor s",
                                    .unit = "×",
                                    .min = 1e-3,
                                    .max = 1e6,
                                    .slider_min = 1,
                                    .slider_max = 64,
                                    .logarithmic = true,
                                    .marks = usual_factors,
                                    .meaning = Meaning::extension_factor,
                                    .help = "How many times the training length the sequence may reach."};

inline constexpr Field attention_factor_field{.name = "attention_factor",
                                              .label = "Attention scaling",
                                              .advanced = true,
                                              .min = 0,
                                              .max = 1000,
                                              .slider_max = 4,
                                              .min_means = "from s",
                                              .help =
                                                  "Multiplies cosine and sine; 0 takes the value that follows from "
                                                  "s. Checkpoints may state their own."};
/// Returns why a factor is too small, or nothing. Channels without rotation are multiplied by 1/factor², and the
/// products must stay finite.
inline std::optional<std::string> check_attention_factor(double factor) {
    constexpr double smallest = 1e-6;
    if (factor == 0 || factor >= smallest) return std::nullopt;
    return fmt::format("encoding.attention_factor is {}; it must be 0 or at least {}", text_of(factor),
                       text_of(smallest));
}

/// A threshold of a ramp over the pairs.
inline constexpr Field turns_field{.unit = "turns",
                                   .min = 1e-3,
                                   .max = 1e6,
                                   .slider_min = 0.1,
                                   .slider_max = 64,
                                   .logarithmic = true,
                                   .meaning = Meaning::turns_threshold};
inline constexpr const char *kept_above =
                                "Pairs with more turns than this over the training length keep their frequency.",
                            *interpolated_below =
                                "Pairs with fewer turns than this over the training length are fully interpolated.";

/// Returns the field for a member of this name.
constexpr Field field_named(Field field, const char* name, const char* label, const char* help) {
    field.name = name, field.label = label, field.help = help;
    return field;
}

/// A fraction of the pairs.
inline constexpr Field rotating_fraction_field{
    .min = 0, .max = 1, .of_pairs = true, .meaning = Meaning::rotating_fraction};

inline constexpr Field original_length_field{.name = "original_length",
                                             .label = "Training length L",
                                             .unit = "tokens",
                                             .min = 1,
                                             .max = 1 << 24,
                                             .slider_min = 256,
                                             .slider_max = longest_sequence,
                                             .logarithmic = true,
                                             .meaning = Meaning::trained_context,
                                             .help = "Sequence length on which the model was trained."};

/// Returns how much of its frequency a pair keeps: 0 at `low` turns or fewer over `length` tokens, 1 at `high` or more.
inline long double kept_share(long double w, int length, double low, double high) {
    return std::clamp((turns_over(length, w) - low) / (static_cast<long double>(high) - low), 0.0L, 1.0L);
}

}  // namespace ropewalk
