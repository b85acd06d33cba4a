// Dynamic NTK scaling: the base grows with the sequence once it exceeds the training length (emozilla 2023; Peng et al.
// 2023, arXiv:2309.00071, section 3.3; "dynamic" in Hugging Face transformers).
#pragma once

#include <fmt/format.h>

#include <algorithm>

#include "core/encodings/common.h"

namespace ropewalk {

struct DynamicNtk : EncodingDefaults {
    static constexpr auto id = "dynamic_ntk", title = "Dynamic NTK",
                          source = "Peng et al. 2023, arXiv:2309.00071, section 3.3";
    static constexpr auto summary = "RoPE up to the training length, NTK-aware scaling by f·N/L − (f − 1) beyond it.";
    static constexpr auto formula =
        "$w_t$ = ({encoding.base}·$s^{d/(d-2)}$)$^{-2t/d}$, $s$ from N = {seq_len} and L = "
        "{encoding.original_length}";
    double base = 10'000;
    double factor = 1;
    int original_length = 4096;

    bool operator==(const DynamicNtk&) const = default;

    static void fields(auto& s, auto&& f) {
        Field factor_f = factor_field;
        factor_f.label = "Factor f";
        factor_f.meaning = Meaning::none;  // not how far the context is extended
        factor_f.help = "1 scales by N/L as in the paper; larger factors scale by f·N/L − (f − 1).";
        f(base_field, s.base);
        f(factor_f, s.factor);
        f(original_length_field, s.original_length);
    }

    std::optional<std::string> check(const Shape& shape) const { return check_base_can_change(shape); }

    /// Returns the factor of the NTK-aware scaling: 1 up to the training length.
    long double scaling(const Shape& shape) const {
        const long double length = std::max(shape.seq_len, original_length);
        return factor * length / original_length - (static_cast<long double>(factor) - 1);
    }

    std::string note(const Shape& shape) const {
        return fmt::format("scaled {:.4g} ×", static_cast<double>(scaling(shape)));
    }

    /// Extends `trained` tokens s times; the factor follows from the sequence length.
    bool extend(double, int trained) {
        factor = 1, original_length = trained;
        return true;
    }

    std::string numpy(const Shape& shape) const {
        return numpy_frequencies(
            base, "base**(-2*t/d) * " + text_of(static_cast<double>(scaling(shape))) + "**(-2*t/(d - 2))");
    }

    LoweredEncoding lower(const Shape& shape) const {
        return rotation_only(ntk_frequencies(base, scaling(shape), shape.head_dim));
    }
};

}  // namespace ropewalk
