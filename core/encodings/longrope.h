// LongRoPE: every frequency is divided by its own factor, found by search, from one of two lists (Ding et al. 2024,
// arXiv:2402.13753; Phi-3; "longrope" in Hugging Face transformers).
#pragma once

#include <fmt/format.h>

#include "core/encodings/common.h"

namespace ropewalk {

struct LongRope : EncodingDefaults {
    static constexpr auto id = "longrope", title = "LongRoPE", source = "Ding et al. 2024, arXiv:2402.13753";
    static constexpr auto summary =
        "Divides each pair's frequency by its own factor: one list up to L tokens, another beyond.";
    static constexpr auto formula = "$w_t$ = {encoding.base}$^{-2t/d}$ ÷ $\\lambda_t$";
    double base = 10'000;
    double factor = 32;
    int original_length = 4096;
    std::vector<double> short_factor{1};
    std::vector<double> long_factor{32};
    double attention_factor = 0;

    bool operator==(const LongRope&) const = default;

    static void fields(auto& s, auto&& f) {
        Field scaling_factor = factor_field;
        scaling_factor.help =
            "Multiplies cosine and sine by √(1 + ln s / ln L), and so the logits by its square; no effect for s ≤ 1. "
            "The frequencies depend on the lists alone.";
        f(base_field, s.base);
        f(scaling_factor, s.factor);
        f(original_length_field, s.original_length);
        f(Field{.name = "short_factor",
                .label = "Short factors λₜ",
                .min = 1e-6,
                .max = 1e9,
                .help = "For up to L tokens: one per pair, fastest first, or one for all pairs."},
          s.short_factor);
        f(Field{.name = "long_factor",
                .label = "Long factors λₜ",
                .min = 1e-6,
                .max = 1e9,
                .help = "For more than L tokens: one per pair, fastest first, or one for all pairs."},
          s.long_factor);
        f(attention_factor_field, s.attention_factor);
    }

    std::optional<std::string> check(const Shape& shape) const {
        if (auto sentence = check_pair_list("encoding.short_factor", short_factor, shape)) return sentence;
        if (auto sentence = check_pair_list("encoding.long_factor", long_factor, shape)) return sentence;
        if (attention_factor == 0 && factor > 1 && original_length < 2)
            return fmt::format("encoding.original_length is {}; with a factor above 1 it must be at least 2",
                               original_length);
        return check_attention_factor(attention_factor);
    }

    bool is_long(const Shape& shape) const { return shape.seq_len > original_length; }

    double attention_scaling() const {
        if (attention_factor > 0) return attention_factor;
        return factor > 1 ? std::sqrt(1 + std::log(factor) / std::log(original_length)) : 1;
    }

    std::string note(const Shape& shape) const {
        return fmt::format("{} factors, logits × {:.4g}", is_long(shape) ? "long" : "short",
                           attention_scaling() * attention_scaling());
    }

    bool extend(double s, int trained) {
        factor = s, original_length = trained;
        if (long_factor.size() == 1) long_factor = {s};
        return true;
    }

    /// Returns "" without a list, because the frequencies are then those of position interpolation.
    std::optional<std::string> extended_title() const { return long_factor.size() == 1 ? "" : title; }

    std::string numpy(const Shape& shape) const {
        const std::vector<double>& factors = is_long(shape) ? long_factor : short_factor;
        return numpy_frequencies(base, "base**(-2*t/d) / np.array([" + text_of(factors) + "])");
    }

    LoweredEncoding lower(const Shape& shape) const {
        const std::vector<double>& factors = is_long(shape) ? long_factor : short_factor;
        auto inv_freq = rope_frequencies(base, shape.head_dim);
        for (int pair = 0; pair < shape.pairs(); ++pair) inv_freq[pair] /= at_pair(factors, pair);
        LoweredEncoding lowered = rotation_only(std::move(inv_freq));
        lowered.attention_scaling = attention_scaling();
        return lowered;
    }
};

}  // namespace ropewalk
