// Position interpolation: every frequency is divided by the factor, which is equivalent to dividing every position
// (Chen et al. 2023, arXiv:2306.15595; "linear" in Hugging Face transformers).
#pragma once

#include "core/encodings/common.h"

namespace ropewalk {

struct Linear : EncodingDefaults {
    static constexpr auto id = "linear", title = "Position interpolation",
                          source = "Chen et al. 2023, arXiv:2306.15595";
    static constexpr auto summary = "All frequencies are divided by s, so that positions fit the training length.";
    static constexpr auto formula = "$w_t$ = {encoding.base}$^{-2t/d}$ ÷ {encoding.factor}";
    double base = 10'000;
    double factor = 8;

    bool operator==(const Linear&) const = default;

    static void fields(auto& s, auto&& f) {
        f(base_field, s.base);
        f(factor_field, s.factor);
    }

    bool extend(double s, int /*trained*/) {
        factor = s;
        return true;
    }

    std::string numpy(const Shape&) const { return numpy_frequencies(base, "base**(-2*t/d) / " + text_of(factor)); }

    LoweredEncoding lower(const Shape& shape) const {
        auto inv_freq = rope_frequencies(base, shape.head_dim);
        for (long double& w : inv_freq) w /= factor;
        return rotation_only(std::move(inv_freq));
    }
};

}  // namespace ropewalk
