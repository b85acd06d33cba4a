// CoPE, clipped RoPE: slow pairs, which never complete a turn in the training length, are slowed further by a Hann
// taper: the fastest of them keeps its frequency, the slowest is not rotated (CoPE 2026, arXiv:2602.05258).
#pragma once

#include <fmt/format.h>

#include <numbers>

#include "core/encodings/common.h"

namespace ropewalk {

struct Clipped : EncodingDefaults {
    static constexpr auto id = "clipped", title = "Clipped RoPE", source = "CoPE 2026, arXiv:2602.05258";
    static constexpr auto summary = "The slowest pairs are slowed smoothly down to zero: a soft version of p-RoPE.";
    static constexpr auto formula = "$w_t$ = {encoding.base}$^{-2t/d}$, the slowest pairs tapered to 0";
    double base = 10'000;
    double p = 0.75;
    int original_length = 0;

    bool operator==(const Clipped&) const = default;

    static void fields(auto& s, auto&& f) {
        Field training_length = original_length_field;
        training_length.min = training_length.slider_min = 0;
        training_length.min_means = "by p", training_length.logarithmic = false;
        training_length.help = "Pairs with a wavelength above L are tapered. 0: Fraction p decides.";
        f(base_field, s.base);
        f(field_named(rotating_fraction_field, "p", "Fraction p",
                      "Fraction of pairs (the fastest) that keep their frequency; n = d/2 − ⌊p·d/2⌋ pairs are "
                      "tapered. Used only if the training length L is 0."),
          s.p);
        f(training_length, s.original_length);
    }

    /// Returns how many of the slowest pairs are tapered: those with a wavelength above the training length, or all but
    /// the fraction p.
    int tapered_pairs(const Shape& shape) const {
        if (original_length == 0) return shape.pairs() - shape.pairs_in(p);
        int count = 0;
        for (const long double w : rope_frequencies(base, shape.head_dim)) count += wavelength_of(w) > original_length;
        return count;
    }

    std::string note(const Shape& shape) const {
        return fmt::format("{} of {} pairs are tapered", tapered_pairs(shape), shape.pairs());
    }

    bool truncate_to(double rotating, const Shape&) {
        p = rotating, original_length = 0;
        return true;
    }

    std::string numpy(const Shape& shape) const {
        const int tapered = tapered_pairs(shape), first = shape.pairs() - tapered;
        std::string text = numpy_frequencies(base, numpy_rope);
        if (tapered > 1)
            text +=
                fmt::format("w[{}:-1] *= (1 + np.cos(np.pi*np.arange({})/{})) / 2\n", first, tapered - 1, tapered - 1);
        return tapered > 0 ? text + "w[-1] = 0\n" : text;
    }

    LoweredEncoding lower(const Shape& shape) const {
        const int tapered = tapered_pairs(shape), first = shape.pairs() - tapered;
        auto inv_freq = rope_frequencies(base, shape.head_dim);
        for (int j = 0; j < tapered - 1; ++j)
            inv_freq[first + j] *= (1 + std::cos(std::numbers::pi_v<long double> * j / (tapered - 1))) / 2;
        if (tapered > 0) inv_freq.back() = 0;
        return rotation_only(std::move(inv_freq));
    }
};

}  // namespace ropewalk
