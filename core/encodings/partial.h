// Partial rotary embedding: only the first channels of a head are rotated, with the full range of frequencies
// (GPT-NeoX, Black et al. 2022, arXiv:2204.06745; `partial_rotary_factor` in Hugging Face transformers).
#pragma once

#include <fmt/format.h>

#include "core/encodings/common.h"

namespace ropewalk {

struct Partial : EncodingDefaults {
    static constexpr auto id = "partial", title = "Partial RoPE", source = "Black et al. 2022, arXiv:2204.06745";
    static constexpr auto summary =
        "The first d·fraction channels rotate like a smaller RoPE head; the others are not rotated.";
    static constexpr auto formula =
        "$w_t$ = {encoding.base}$^{-2t/d_r}$ with $d_r$ = ⌊{encoding.fraction}·$d$⌋ for the first {rotating_pairs} "
        "pairs, else 0";
    double base = 10'000;
    double fraction = 0.5;

    bool operator==(const Partial&) const = default;

    static void fields(auto& s, auto&& f) {
        f(base_field, s.base);
        f(field_named(rotating_fraction_field, "fraction", "Rotary fraction",
                      "$d_r$ = int(d · fraction) channels rotate, with $w_t=\\theta^{-2t/d_r}$. Unlike p-RoPE, this "
                      "keeps the whole range of wavelengths."),
          s.fraction);
    }

    int rotary_dim(const Shape& shape) const { return static_cast<int>(shape.head_dim * fraction); }

    std::optional<std::string> check(const Shape& shape) const {
        if (rotary_dim(shape) % 2 == 0) return std::nullopt;
        return fmt::format(
            "encoding.fraction is {}, which rotates {} of {} channels; the number must be even, because channels "
            "rotate in pairs",
            text_of(fraction), rotary_dim(shape), shape.head_dim);
    }

    std::string note(const Shape& shape) const {
        return fmt::format("{} of {} channels rotate", rotary_dim(shape), shape.head_dim);
    }

    /// Rotates as many pairs as p-RoPE does.
    bool truncate_to(double rotating, const Shape& shape) {
        fraction = shape.fraction_of(shape.pairs_in(rotating));
        return true;
    }

    std::string numpy(const Shape& shape) const {
        const std::string r = std::to_string(rotary_dim(shape)), half = std::to_string(rotary_dim(shape) / 2);
        return rotary_dim(shape) == 0
                   ? "w = np.zeros(d // 2)\n"
                   : numpy_frequencies(base, "np.where(t < " + half + ", base**(-2*t/" + r + "), 0)");
    }

    LoweredEncoding lower(const Shape& shape) const {
        auto inv_freq = rope_frequencies(base, rotary_dim(shape));
        inv_freq.resize(static_cast<std::size_t>(shape.pairs()), 0);
        LoweredEncoding lowered = rotation_only(std::move(inv_freq));
        lowered.rotary_dim = rotary_dim(shape);
        return lowered;
    }
};

}  // namespace ropewalk
