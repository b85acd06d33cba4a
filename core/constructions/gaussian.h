// Independent Gaussian queries and keys (Barbero et al. 2024, arXiv:2410.06205, Prop. 3.2 and Fig. 2b).
#pragma once

#include "core/constructions/common.h"

namespace ropewalk {

struct Gaussian : ConstructionDefaults {
    static constexpr auto id = "gaussian", title = "Gaussian",
                          source = "Barbero et al. 2024, arXiv:2410.06205, Prop. 3.2";
    static constexpr auto summary =
        "Entries are $N(0,1)\\cdot d^{-1/4}$, so every score has mean 0 and variance 1: no decay.";
    static constexpr bool depends_on_seed = true;
    int samples = 100;

    bool operator==(const Gaussian&) const = default;

    static void fields(auto& s, auto&& f) {
        f(samples_field("Number of independent (q, k) for the mean and σ of the decay curve."), s.samples);
    }

    HeadInputs build(const Shape& shape) const {
        const double factor = std::pow(shape.head_dim, -0.25);
        const auto draw = [seed = shape.seed, factor](int sample, RandomStream stream, std::span<double> row) {
            draw_normal({.seed = seed, .sample = static_cast<std::uint32_t>(sample), .stream = stream}, factor, row);
        };
        const auto rows = [&](RandomStream stream) {
            return RowSource::of(DrawnRows{.seed = shape.seed, .in_turn = {{.stream = stream, .deviation = factor}}});
        };
        return {.q = rows(RandomStream::query),
                .k = rows(RandomStream::key),
                .samples = samples,
                .sample = [=](int sample, std::span<double> q, std::span<double> k) {
                    draw(sample, RandomStream::query, q);
                    draw(sample, RandomStream::key, k);
                }};
    }
};

}  // namespace ropewalk
