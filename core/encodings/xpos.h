// xPos: RoPE whose pairs are damped with distance, the fast ones most. Queries are multiplied by ζₜ^(m/scale_base),
// keys by ζₜ^(−n/scale_base), with ζₜ = (2t/d + 0.4)/1.4 (Sun et al. 2022, arXiv:2212.10554, eq. 17 and Alg. 1).
#pragma once

#include <fmt/format.h>

#include "core/encodings/common.h"

namespace ropewalk {

struct XPos : EncodingDefaults {
    static constexpr auto id = "xpos", title = "xPos", source = "Sun et al. 2022, arXiv:2212.10554";
    static constexpr auto summary =
        "RoPE with every pair damped by $\\zeta_t^{r/\\mathrm{scale}}$ at distance r, the fast ones most.";
    static constexpr auto formula =
        "$w_t$ = {encoding.base}$^{-2t/d}$, every pair damped over {encoding.scale_base} tokens";
    double base = 10'000;
    double scale_base = 512;

    bool operator==(const XPos&) const = default;

    static void fields(auto& s, auto&& f) {
        f(base_field, s.base);
        f(Field{.name = "scale_base",
                .label = "Scale base",
                .unit = "tokens",
                .min = 1,
                .max = 1e9,
                .slider_min = 16,
                .slider_max = 65536,
                .logarithmic = true,
                .help = "Distance over which pair t is damped to ζₜ = (2t/d + 0.4)/1.4. The paper uses 512."},
          s.scale_base);
    }

    /// Rejects damping that leaves the range of double: over e^−76 from one token to the next, or over e^230 = 1e100
    /// for keys after their query, which are amplified.
    std::optional<std::string> check(const Shape& shape) const {
        const double nepers = static_cast<double>(damping(0, shape)) * shape.positions.stride;
        if (nepers > 76)
            return fmt::format(
                "encoding.scale_base is {}; with positions.stride {} it must be at least {:.4g}, because a stronger "
                "damping leaves nothing of the next token",
                text_of(scale_base), shape.positions.stride, std::ceil(scale_base * nepers / 76));
        if (shape.mask == Mask::none && nepers * (shape.seq_len - 1) > 230)
            return fmt::format(
                "encoding.scale_base is {}; without a mask it must be at least {:.4g} for seq_len {} and "
                "positions.stride {}, because keys after their query are amplified",
                text_of(scale_base), std::ceil(scale_base * nepers * (shape.seq_len - 1) / 230), shape.seq_len,
                shape.positions.stride);
        return std::nullopt;
    }

    std::string numpy(const Shape&) const { return numpy_frequencies(base, numpy_rope); }

    LoweredEncoding lower(const Shape& shape) const {
        LoweredEncoding lowered = rotation_only(rope_frequencies(base, shape.head_dim));
        for (int pair = 0; pair < shape.pairs(); ++pair) lowered.damping.push_back(damping(pair, shape));
        return lowered;
    }

  private:
    /// Returns −ln ζ / scale_base, in nepers per token.
    long double damping(int pair, const Shape& shape) const {
        return -std::log((2.0L * pair / shape.head_dim + 0.4L) / 1.4L) / scale_base;
    }
};

}  // namespace ropewalk
