// A previous-token head in closed form (Wendler's notes, experiment 1).
#pragma once

#include "core/constructions/common.h"

namespace ropewalk {

struct PreviousToken : ConstructionDefaults {
    static constexpr auto id = "previous_token", title = "Previous token",
                          source = "Wendler 2025, RoPE notes, experiment 1";
    static constexpr auto summary =
        "k = (1, 0) in every pair, q = α·R⁻¹k: under RoPE the score is α·Σ cos((r − 1)·wₜ), largest one token back.";
    static constexpr bool has_constant_rows = true;
    double alpha = 10;

    bool operator==(const PreviousToken&) const = default;

    static void fields(auto& s, auto&& f) {
        f(Field{.name = "alpha",
                .label = "Sharpness α",
                .min = 0,
                .max = 1e38,
                .slider_min = 0.01,
                .slider_max = 1000,
                .logarithmic = true,
                .help =
                    "Multiplies the query. With unscaled scores, 1 spreads the attention and 100 makes it one-hot."},
          s.alpha);
    }

    HeadInputs build(const BuildContext& context) const {
        const auto k = every_pair(context.shape, 1, 0);
        return {.q = RowSource::constant(rotated(k, -1, context), alpha), .k = RowSource::constant(k)};
    }
};

}  // namespace ropewalk
