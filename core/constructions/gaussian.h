// Independent Gaussian queries and keys (Barbero et al. 2024, arXiv:2410.06205, Prop. 3.2 and Fig. 2b).
#pragma once

#include "core/constructions/common.h"

namespace ropewalk {

struct Gaussian {
    static constexpr auto id = "gaussian", title = "Gaussian",
                          source = "Barbero et al. 2024, arXiv:2410.06205, Prop. 3.2";
    static constexpr auto summary =
        "Entries N(0, 1)·d^(−1/4), so that every score has mean 0 and variance 1: no decay.";
    static constexpr bool ignores_encoding = true;
    int samples = 100;

    bool operator==(const Gaussian&) const = default;

    template <class S, class F>
    static void fields(S& s, F&& f) {
        f(Field{.name = "samples",
                .label = "Samples",
                .least = 1,
                .greatest = 10'000,
                .slider_greatest = 1000,
                .logarithmic = true,
                .meaning = Meaning::samples,
                .help = "Independent (q, k) behind the mean and σ of the decay curve."},
          s.samples);
    }

    HeadInputs build(const BuildContext& context) const {
        const auto draw = [seed = context.shape.seed, factor = std::pow(context.shape.head_dim, -0.25)](
                              std::uint32_t sample, RandomStream stream, int token, std::span<double> row) {
            fill_gaussian(
                {.seed = seed, .sample = sample, .stream = stream, .token = static_cast<std::uint32_t>(token)}, row);
            for (double& entry : row) entry *= factor;
        };
        return {.q = RowSource::of([=](int token, std::span<double> row) { draw(0, RandomStream::query, token, row); }),
                .k = RowSource::of([=](int token, std::span<double> row) { draw(0, RandomStream::key, token, row); }),
                .samples = samples,
                .sample = [=](int sample, std::span<double> q, std::span<double> k) {
                    draw(static_cast<std::uint32_t>(sample), RandomStream::query, 0, q);
                    draw(static_cast<std::uint32_t>(sample), RandomStream::key, 0, k);
                }};
    }
};

}  // namespace ropewalk
