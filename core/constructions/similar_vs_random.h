// Similar and random keys: the margin of a key similar to the query (Men et al. 2024, arXiv:2405.14591, Theorem 1).
#pragma once

#include "core/constructions/common.h"

namespace ropewalk {

struct SimilarVsRandom : ConstructionDefaults {
    static constexpr auto id = "similar_vs_random", title = "Similar vs random keys",
                          source = "Men et al. 2024, arXiv:2405.14591, Theorem 1";
    static constexpr auto summary =
        "Every second key is q + ε, the others are random. The decay curve is the margin q·k* − q·k, with mean 2σ² Σ "
        "cos(r·wₜ).";
    static constexpr bool depends_on_seed = true;
    double sigma = 0.35, noise = 0.35;
    int samples = 100;

    bool operator==(const SimilarVsRandom&) const = default;

    static void fields(auto& s, auto&& f) {
        f(Field{.name = "sigma",
                .label = "Std dev σ",
                .min = 0,
                .max = 1e6,
                .slider_min = 0.01,
                .slider_max = 10,
                .logarithmic = true,
                .help = "Standard deviation of the entries of q and of random keys k."},
          s.sigma);
        f(Field{.name = "noise",
                .label = "Noise ε",
                .min = 0,
                .max = 1e6,
                .slider_max = 10,
                .help =
                    "Standard deviation of the entries of ε in k* = q + ε. It widens the curve but keeps its mean."},
          s.noise);
        f(samples_field("Number of independent (q, k*, k) for the mean and σ of the decay curve."), s.samples);
    }

    /// Builds one q for all tokens, with similar keys at even tokens and random keys at odd ones. A score is linear in
    /// the key, up to what every key gets, so a sample with the key k* − k gives the difference of the two scores.
    HeadInputs build(const Shape& shape) const {
        const auto draw = [seed = shape.seed](int sample, RandomStream stream, double deviation,
                                              std::span<double> row) {
            draw_normal({.seed = seed, .sample = static_cast<std::uint32_t>(sample), .stream = stream}, deviation, row);
        };
        std::vector<double> query(static_cast<std::size_t>(shape.head_dim));
        draw(0, RandomStream::query, sigma, query);
        return {
            .q = RowSource::constant(query),
            .k = RowSource::of(DrawnRows{.seed = shape.seed,
                                         .in_turn = {{.stream = RandomStream::key, .deviation = noise, .mean = query},
                                                     {.stream = RandomStream::key, .deviation = sigma}}}),
            .samples = samples,
            .sample =
                [=, *this](int sample, std::span<double> q, std::span<double> k) {
                    std::vector<double> epsilon(q.size());
                    draw(sample, RandomStream::query, sigma, q);
                    draw(sample, RandomStream::key, sigma, k);
                    draw(sample, RandomStream::content, noise, epsilon);
                    for (std::size_t channel = 0; channel < k.size(); ++channel)
                        k[channel] = q[channel] + epsilon[channel] - k[channel];
                },
            .sample_of = SampleOf::margin,
            .expected_product = sigma * sigma};
    }
};

}  // namespace ropewalk
