// ALiBi: no rotation; the logit falls linearly with distance, with a different slope in every head
// (Press et al. 2022, arXiv:2108.12409).
#pragma once

#include <fmt/format.h>

#include <bit>

#include "core/encodings/common.h"

namespace ropewalk {

struct Alibi : EncodingDefaults {
    static constexpr auto id = "alibi", title = "ALiBi", source = "Press et al. 2022, arXiv:2108.12409";
    static constexpr auto summary = "No rotation; each logit is lowered by slope · distance.";
    static constexpr auto formula = "$w_t$ = 0: no rotation";
    int heads = 8, head = 0;

    bool operator==(const Alibi&) const = default;

    static void fields(auto& s, auto&& f) {
        f(Field{.name = "heads",
                .label = "Heads",
                .min = 1,
                .max = 1024,
                .slider_max = 128,
                .help =
                    "Number of heads n in the layer. If n is a power of two, head h has slope $2^{-8h/n}$; the slopes "
                    "of other n mix those of the powers of two around it."},
          s.heads);
        f(Field{.name = "head",
                .label = "Head",
                .min = 0,
                .max = 1023,
                .slider_max = 127,
                .help =
                    "Counted from 0: the slope is that of h = head + 1. A model that is trained here has this slope in "
                    "all heads."},
          s.head);
    }

    std::optional<std::string> check(const Shape&) const {
        if (head < heads) return std::nullopt;
        return fmt::format("encoding.head is {}; with encoding.heads = {} it must be from 0 to {}", head, heads,
                           heads - 1);
    }

    /// Returns $2^{-8h/n}$ if n is a power of two. Otherwise the first heads get the slopes for the power of two below
    /// n, and the others every second slope for twice that power.
    double slope() const {
        const int power = static_cast<int>(std::bit_floor(static_cast<unsigned>(heads)));
        if (head < power) return std::exp2(-8.0 * (head + 1) / power);
        return std::exp2(-8.0 * (2 * (head - power) + 1) / (2 * power));
    }

    std::string note(const Shape&) const { return fmt::format("slope {:.4g} per token", slope()); }

    std::string numpy(const Shape&) const { return "w = np.zeros(d // 2)\n"; }

    LoweredEncoding lower(const Shape& shape) const {
        LoweredEncoding lowered = rotation_only(std::vector<long double>(static_cast<std::size_t>(shape.pairs()), 0));
        lowered.bias_slope = slope();
        return lowered;
    }
};

}  // namespace ropewalk
