// CoPE, clipped RoPE: the slow pairs, which never finish a turn in the trained context, are slowed further by a Hann
// taper, from the first of them, untouched, to the last, frozen (CoPE 2026, arXiv:2602.05258).
#pragma once

#include <fmt/format.h>

#include <numbers>

#include "core/encodings/common.h"

namespace ropewalk {

struct Clipped : EncodingDefaults {
    static constexpr auto id = "clipped", title = "Clipped RoPE", source = "CoPE 2026, arXiv:2602.05258";
    static constexpr auto summary = "The slow pairs fade to a standstill: the soft counterpart of p-RoPE.";
    static constexpr auto formula = "wₜ = {encoding.base}^(−2t/d), the slowest pairs faded to 0";
    double base = 10'000;
    double p = 0.75;
    int original_length = 0;

    bool operator==(const Clipped&) const = default;

    template <class S, class F>
    static void fields(S& s, F&& f) {
        static constexpr Field trained_context = [] {
            Field field = original_length_field;
            field.min = 0, field.slider_min = 0, field.min_means = "by p", field.logarithmic = false;
            field.help = "The pairs whose wavelength is above L are tapered. 0: as many pairs as p says.";
            return field;
        }();
        f(base_field, s.base);
        f(Field{.name = "p",
                .label = "Fraction p",
                .min = 0,
                .max = 1,
                .of_pairs = true,
                .meaning = Meaning::rotating_fraction,
                .help = "Fraction of pairs that stay as they are, the fastest; n = d/2 − ⌊p·d/2⌋ are tapered. Counts "
                        "where the trained context L is 0."},
          s.p);
        f(trained_context, s.original_length);
    }

    /// How many of the slowest pairs are tapered: those of a wavelength above the trained context, or all but the
    /// fraction p.
    int tapered_pairs(const Shape& shape) const {
        if (original_length == 0) return shape.pairs() - shape.pairs_in(p);
        int count = 0;
        for (const long double w : frequency_ladder(base, shape.head_dim)) count += wavelength_of(w) > original_length;
        return count;
    }

    std::string note(const Shape& shape) const {
        return fmt::format("{} of {} pairs are tapered", tapered_pairs(shape), shape.pairs());
    }

    bool truncate_to(double kept, const Shape&) {
        p = kept, original_length = 0;
        return true;
    }

    LoweredEncoding lower(const Shape& shape) const {
        const int tapered = tapered_pairs(shape), first = shape.pairs() - tapered;
        auto inv_freq = frequency_ladder(base, shape.head_dim);
        for (int j = 0; j < tapered - 1; ++j)
            inv_freq[first + j] *= (1 + std::cos(std::numbers::pi_v<long double> * j / (tapered - 1))) / 2;
        if (tapered > 0) inv_freq.back() = 0;
        return rotation_only(std::move(inv_freq));
    }
};

}  // namespace ropewalk
