// Llama 3.1's scaling: short wavelengths are kept, long ones interpolated by the factor, with a ramp in turns over the
// training length in between (Grattafiori et al. 2024, arXiv:2407.21783; `apply_scaling` in Meta's llama-models,
// "llama3" in Hugging Face transformers).
#pragma once

#include <fmt/format.h>

#include "core/encodings/common.h"

namespace ropewalk {

struct Llama3 : EncodingDefaults {
    static constexpr auto id = "llama3", title = "Llama 3.1", source = "Grattafiori et al. 2024, arXiv:2407.21783";
    static constexpr auto summary = "Keeps wavelengths below L/high, interpolates those above L/low by s.";
    static constexpr auto formula =
        "$w_t$ = {encoding.base}$^{-2t/d}$·(1 − $\\rho_t$ + $\\rho_t$ ÷ {encoding.factor}), $\\rho_t$ = 0 … 1 from "
        "{encoding.high_freq_factor} to {encoding.low_freq_factor} turns";
    double base = 500'000;
    double factor = 8;
    int original_length = 8192;
    double low_freq_factor = 1, high_freq_factor = 4;

    bool operator==(const Llama3&) const = default;

    static void fields(auto& s, auto&& f) {
        f(base_field, s.base);
        f(factor_field, s.factor);
        f(original_length_field, s.original_length);
        f(field_named(turns_field, "low_freq_factor", "Low", interpolated_below), s.low_freq_factor);
        f(field_named(turns_field, "high_freq_factor", "High", kept_above), s.high_freq_factor);
    }

    std::optional<std::string> check(const Shape&) const {
        if (low_freq_factor < high_freq_factor) return std::nullopt;
        return fmt::format("encoding.high_freq_factor is {}; it must be above encoding.low_freq_factor, which is {}",
                           text_of(high_freq_factor), text_of(low_freq_factor));
    }

    bool extend(double s, int trained) {
        factor = s, original_length = trained;
        return true;
    }

    std::string numpy(const Shape&) const {
        return numpy_frequencies(base, numpy_rope) +
               fmt::format("kept = np.clip(({}*w/(2*np.pi) - {}) / ({} - {}), 0, 1)\nw = w * ((1 - kept)/{} + kept)\n",
                           original_length, low_freq_factor, high_freq_factor, low_freq_factor, factor);
    }

    LoweredEncoding lower(const Shape& shape) const {
        auto inv_freq = rope_frequencies(base, shape.head_dim);
        for (long double& w : inv_freq) {
            const long double kept = kept_share(w, original_length, low_freq_factor, high_freq_factor);
            w *= (1 - kept) / factor + kept;
        }
        return rotation_only(std::move(inv_freq));
    }
};

}  // namespace ropewalk
