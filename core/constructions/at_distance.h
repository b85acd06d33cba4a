// A head whose score is largest at a chosen distance (Barbero et al. 2024, arXiv:2410.06205, Prop. 3.1 and Thm 5.3:
// distance 0 is the diagonal head, 1 the previous-token head).
#pragma once

#include "core/constructions/common.h"

namespace ropewalk {

struct AtDistance : ConstructionDefaults {
    static constexpr auto id = "at_distance", title = "At a distance",
                          source = "Barbero et al. 2024, arXiv:2410.06205, Prop. 3.1, Thm 5.3";
    static constexpr auto summary =
        "Query and key are the same vector ψ, the key rotated by r₀ tokens. Under RoPE the score is "
        "‖ψ‖²·mean cos((r − r₀)·wₜ), which is largest r₀ tokens back. Without rotation, r₀ has no effect.";
    static constexpr bool has_constant_rows = true;
    int distance = 1;
    double norm_squared = 150;

    bool operator==(const AtDistance&) const = default;

    static void fields(auto& s, auto&& f) {
        f(Field{.name = "distance",
                .label = "Target distance r₀",
                .unit = "tokens",
                .min = 0,
                .max = longest_sequence,
                .slider_max = 256,
                .meaning = Meaning::distance,
                .help = "Distance with the largest score: 0 is the token itself, 1 the previous token."},
          s.distance);
        f(norm_squared_field, s.norm_squared);
    }

    HeadInputs build(const BuildContext& context) const {
        const auto psi = every_pair(context.shape, 1, 0);
        const double length = std::sqrt(norm_squared / context.shape.pairs());
        return {.q = RowSource::constant(psi, length),
                .k = RowSource::constant(rotated(psi, distance, context), length)};
    }
};

}  // namespace ropewalk
