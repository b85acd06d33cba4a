// A head that matches one vector s at any position, using only the channels from d₀ on (Wendler's notes, experiment 3).
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <numeric>
#include <vector>

#include "core/constructions/common.h"

namespace ropewalk {

struct Semantic : ConstructionDefaults {
    static constexpr auto id = "semantic", title = "Semantic match", source = "Wendler 2025, RoPE notes, experiment 3";
    static constexpr auto summary =
        "The last query and all earlier keys share s on channels d₀ … d−1: the score is Σ ‖sₜ‖² cos(r·wₜ) over t ≥ "
        "d₀/2.";
    static constexpr bool depends_on_seed = true;
    int d0 = 0;
    double norm_squared = 0;

    bool operator==(const Semantic&) const = default;

    static void fields(auto& s, auto&& f) {
        f(Field{.name = "d0",
                .label = "First channel d₀",
                .min = 0,
                .max = widest_head - 2,
                .step = 2,
                .of_pairs = true,
                .meaning = Meaning::pair,
                .help = "Channels below d₀, the fast ones, are not used. A larger d₀ makes the match depend less on "
                        "distance."},
          s.d0);
        Field norm = norm_squared_field;
        norm.label = "Norm ‖s‖²";
        norm.min_means = "as drawn";
        norm.help =
            "Squared length of s, which is the largest score. With the same length, heads with different d₀ can "
            "be compared. 0: as drawn, about d − d₀.";
        f(norm, s.norm_squared);
    }

    std::optional<std::string> check(const Shape& shape) const {
        if (d0 <= shape.head_dim - 2) return std::nullopt;
        return fmt::format("construction.d0 is {}; with head_dim {} it must be even and from 0 to {}", d0,
                           shape.head_dim, shape.head_dim - 2);
    }

    /// In the notes, x in ℝ^D has s in channels 0 … d−1 of the last token and d … 2d−1 of all others, and Gaussian
    /// noise elsewhere. W_Q reads the first block, W_K the second, both from d₀ on. So all other queries, and the last
    /// token's key, are noise.
    HeadInputs build(const Shape& shape) const {
        DrawnRow content{.stream = RandomStream::content, .token = 0};
        if (norm_squared > 0) {
            std::vector<double> s(static_cast<std::size_t>(shape.head_dim));
            DrawnRows{.seed = shape.seed, .in_turn = {content}, .silent_channels = d0}.read(0, s);
            content.deviation = std::sqrt(norm_squared / std::inner_product(s.begin(), s.end(), s.begin(), 0.0));
        }
        const auto rows = [&](DrawnRow others, DrawnRow last) {
            return RowSource::of(DrawnRows{.seed = shape.seed,
                                           .in_turn = {std::move(others)},
                                           .of_last = std::move(last),
                                           .last_token = shape.seq_len - 1,
                                           .silent_channels = d0});
        };
        return {.q = rows({.stream = RandomStream::query}, content),
                .k = rows(content, {.stream = RandomStream::key}),
                .first_distance = 1};
    }
};

}  // namespace ropewalk
