// p-RoPE: only the fastest fraction p of the pairs rotates (Barbero et al. 2024, arXiv:2410.06205, App. C;
// "proportional" in Hugging Face transformers and Gemma 4).
#pragma once

#include <fmt/format.h>

#include "core/encodings/common.h"

namespace ropewalk {

struct PRope : EncodingDefaults {
    static constexpr auto id = "p_rope", title = "p-RoPE", source = "Barbero et al. 2024, arXiv:2410.06205, App. C";
    static constexpr auto summary = "Only the fastest n = ⌊p·d/2⌋ pairs rotate; the others ignore position.";
    static constexpr auto formula = "$w_t$ = {encoding.base}$^{-2t/d}$ for the fastest {rotating_pairs} pairs, else 0";
    double base = 10'000;
    double p = 0.75;

    bool operator==(const PRope&) const = default;

    static void fields(auto& s, auto&& f) {
        f(base_field, s.base);
        f(field_named(rotating_fraction_field, "p", "Fraction p",
                      "Fraction of pairs that rotate: 0 is NoPE, 1 is RoPE. Rotating pairs keep their frequencies."),
          s.p);
    }

    std::string note(const Shape& shape) const {
        const int rotated = shape.pairs_in(p);
        return fmt::format("{} of {} pairs rotate, effective p = {:.4g}", rotated, shape.pairs(),
                           static_cast<double>(rotated) / shape.pairs());
    }

    bool truncate_to(double rotating, const Shape&) {
        p = rotating;
        return true;
    }

    std::string numpy(const Shape& shape) const {
        return numpy_frequencies(base, "np.where(t < " + std::to_string(shape.pairs_in(p)) + ", base**(-2*t/d), 0)");
    }

    LoweredEncoding lower(const Shape& shape) const {
        auto inv_freq = rope_frequencies(base, shape.head_dim);
        for (int pair = shape.pairs_in(p); pair < shape.pairs(); ++pair) inv_freq[pair] = 0;
        return rotation_only(std::move(inv_freq));
    }
};

}  // namespace ropewalk
