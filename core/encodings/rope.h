// Rotary position embedding: pair t of a query or key at position m is rotated by m · base^(−2t/d)
// (Su et al. 2021, arXiv:2104.09864, eq. 15).
#pragma once

#include "core/encodings/common.h"

namespace ropewalk {

/// The divisor of the frequencies' exponent: head_dim, or head_dim − 2, which makes the slowest frequency exactly
/// 1/base.
enum class RopeExponent { d, d_minus_2 };
template <>
struct EnumText<RopeExponent> {
    static constexpr std::array<EnumName, 2> names{{{"d", "−2t/d"}, {"d_minus_2", "−2t/(d−2)"}}};
};

struct Rope : EncodingDefaults {
    static constexpr auto id = "rope", title = "RoPE", source = "Su et al. 2021, arXiv:2104.09864, eq. 15";
    static constexpr auto summary = "Rotates pair t by wₜ rad per token; pair 0 is the fastest.";
    double base = 10'000;
    RopeExponent exponent = RopeExponent::d;

    bool operator==(const Rope&) const = default;

    static void fields(auto& s, auto&& f) {
        f(base_field, s.base);
        f(Field{.name = "exponent",
                .label = "Exponent",
                .advanced = true,
                .help = "−2t/d as in RoFormer and the code of models, or −2t/(d−2), which makes the slowest frequency "
                        "exactly 1/θ.",
                .source = "−2t/(d−2): Wendler's notes, semantic heads"},
          s.exponent);
    }

    std::optional<std::string> check(const Shape& shape) const {
        if (exponent == RopeExponent::d_minus_2 && shape.head_dim < 4)
            return "encoding.exponent is d_minus_2, which needs head_dim of at least 4; it is " +
                   std::to_string(shape.head_dim);
        return std::nullopt;
    }

    const char* formula() const {
        return exponent == RopeExponent::d_minus_2 ? "$w_t$ = {encoding.base}$^{-2t/(d-2)}$"
                                                   : "$w_t$ = {encoding.base}$^{-2t/d}$";
    }

    std::string numpy(const Shape&) const {
        return numpy_frequencies(base, exponent == RopeExponent::d_minus_2 ? "base**(-2*t/(d - 2))" : numpy_rope);
    }

    LoweredEncoding lower(const Shape& shape) const {
        auto inv_freq = rope_frequencies(base, shape.head_dim);
        if (exponent == RopeExponent::d_minus_2)
            for (int pair = 0; pair < shape.pairs(); ++pair)
                inv_freq[pair] = rope_frequency(base, pair, shape.head_dim - 2);
        return rotation_only(std::move(inv_freq));
    }
};

}  // namespace ropewalk
