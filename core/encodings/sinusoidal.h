// Sinusoidal position embedding: sines and cosines of the position are added to query and key before the dot product
// (Vaswani et al. 2017, arXiv:1706.03762, section 3.5; there to the input of the first layer, hence W = I).
#pragma once

#include "core/encodings/common.h"

namespace ropewalk {

/// The channels that get sine and cosine of pair t: 2t and 2t+1 (the paper), or t and t + d/2 (tensor2tensor).
enum class SinusoidalLayout { interleaved, halves };
template <>
struct EnumText<SinusoidalLayout> {
    static constexpr std::array<EnumName, 2> names{{{"interleaved", "Interleaved"}, {"halves", "Halves"}}};
};

struct Sinusoidal : EncodingDefaults {
    static constexpr auto id = "sinusoidal", title = "Sinusoidal",
                          source = "Vaswani et al. 2017, arXiv:1706.03762, section 3.5";
    static constexpr auto summary =
        "Adds sin(m·wₜ) and cos(m·wₜ) to q and k. No rotation; the score also depends on the positions.";
    static constexpr auto formula = "$w_t$ = {encoding.base}$^{-2t/d}$, $p_m$ = sin($m w_t$), cos($m w_t$)";
    double base = 10'000;
    SinusoidalLayout layout = SinusoidalLayout::interleaved;

    bool operator==(const Sinusoidal&) const = default;

    static void fields(auto& s, auto&& f) {
        f(base_field, s.base);
        f(Field{.name = "layout",
                .label = "Layout",
                .help = "Raw channels that get sine and cosine of one frequency: 2t and 2t+1 as in the paper, or t and "
                        "t + d/2."},
          s.layout);
    }

    std::string numpy(const Shape&) const { return numpy_frequencies(base, numpy_rope); }

    LoweredEncoding lower(const Shape& shape) const {
        LoweredEncoding lowered = rotation_only(rope_frequencies(base, shape.head_dim));
        const PairLayout pairs{shape.pairing, shape.head_dim, shape.head_dim};
        for (int pair = 0; pair < shape.pairs(); ++pair)
            for (const int channel : {pairs.first(pair), pairs.second(pair)})
                lowered.added_waves.push_back(wave_of(channel, shape));
        return lowered;
    }

  private:
    int wave_of(int channel, const Shape& shape) const {
        if (layout == SinusoidalLayout::interleaved) return channel;
        return channel < shape.pairs() ? 2 * channel : 2 * (channel - shape.pairs()) + 1;
    }
};

}  // namespace ropewalk
