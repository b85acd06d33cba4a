// NTK-aware scaling: a larger base, which divides the slowest frequency by s and keeps the fastest (bloc97 2023,
// "NTK-Aware Scaled RoPE"; Peng et al. 2023, arXiv:2309.00071, section 3.1).
#pragma once

#include "core/encodings/common.h"

namespace ropewalk {

struct Ntk : EncodingDefaults {
    static constexpr auto id = "ntk", title = "NTK-aware", source = "Peng et al. 2023, arXiv:2309.00071, section 3.1";
    static constexpr auto summary =
        "Larger base $\\theta s^{d/(d-2)}$: divides the slowest frequency by s, keeps the fastest.";
    static constexpr auto formula = "$w_t$ = ({encoding.base}·{encoding.factor}$^{d/(d-2)}$)$^{-2t/d}$";
    double base = 10'000;
    double factor = 8;

    bool operator==(const Ntk&) const = default;

    static void fields(auto& s, auto&& f) {
        f(base_field, s.base);
        f(factor_field, s.factor);
    }

    std::optional<std::string> check(const Shape& shape) const { return check_base_can_change(shape); }

    bool extend(double s, int /*trained*/) {
        factor = s;
        return true;
    }

    std::string numpy(const Shape&) const {
        return numpy_frequencies(base, "base**(-2*t/d) * " + text_of(factor) + "**(-2*t/(d - 2))");
    }

    LoweredEncoding lower(const Shape& shape) const {
        return rotation_only(ntk_frequencies(base, static_cast<long double>(factor), shape.head_dim));
    }
};

}  // namespace ropewalk
