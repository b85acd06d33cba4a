// One random vector at every token, with W_Q = W_K = I: shows RoPE's recency bias (Wendler's notes, "RoPE introduces a
// recency bias").
#pragma once

#include "core/constructions/common.h"

namespace ropewalk {

struct SameVector : ConstructionDefaults {
    static constexpr auto id = "same_vector", title = "Same vector", source = "Wendler 2025, RoPE notes, recency bias";
    static constexpr auto summary =
        "q = k = x at every token: under RoPE the score is Σ cos(r·wₜ)·‖xₜ‖², largest at distance 0.";
    static constexpr bool has_constant_rows = true, depends_on_seed = true;
    double norm_squared = 16;

    bool operator==(const SameVector&) const = default;

    static void fields(auto& s, auto&& f) {
        Field norm = norm_squared_field;
        norm.label = "Norm ‖x‖²";
        norm.help = "Squared length of x; its random direction follows from the seed.";
        f(norm, s.norm_squared);
    }

    HeadInputs build(const Shape& shape) const {
        std::vector<double> x(static_cast<std::size_t>(shape.head_dim));
        fill_gaussian({.seed = shape.seed, .stream = RandomStream::content}, x);
        scale_to(norm_squared, x);
        const RowSource row = RowSource::constant(std::move(x));
        return {.q = row, .k = row};
    }
};

}  // namespace ropewalk
