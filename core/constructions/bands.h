// Any sum of cosines: an amplitude and a phase for every pair.
#pragma once

#include "core/constructions/common.h"

namespace ropewalk {

struct Bands : ConstructionDefaults {
    static constexpr auto id = "bands", title = "Amplitudes and phases",
                          source = "Hong et al. 2024, eq. 12, solved for q and k";
    static constexpr auto summary = "score(r) = Σ aₜ cos(r·wₜ + φₜ), with any amplitudes aₜ and phases φₜ.";
    static constexpr bool has_constant_rows = true;
    std::vector<double> amplitudes{1};
    std::vector<double> phases{0};

    bool operator==(const Bands&) const = default;

    static void fields(auto& s, auto&& f) {
        f(Field{.name = "amplitudes",
                .label = "Amplitudes aₜ",
                .min = -1e12,
                .max = 1e12,
                .help = "One per pair, fastest first, or one for all pairs."},
          s.amplitudes);
        f(Field{.name = "phases",
                .label = "Phases φₜ",
                .unit = "rad",
                .min = -1e6,
                .max = 1e6,
                .help = "One per pair, fastest first, or one for all pairs."},
          s.phases);
    }

    std::optional<std::string> check(const Shape& shape) const {
        const auto sentence = check_pair_list("construction.amplitudes", amplitudes, shape);
        return sentence ? sentence : check_pair_list("construction.phases", phases, shape);
    }

    /// Builds k = (1, 0)·√|a| and q = √|a|·sign(a)·(cos φ, sin φ) in every pair.
    HeadInputs build(const Shape& shape) const {
        auto q = every_pair(shape, 0, 0), k = q;
        for (int pair = 0; pair < shape.pairs(); ++pair) {
            const double amplitude = at_pair(amplitudes, pair), phase = at_pair(phases, pair);
            const double root = std::sqrt(std::abs(amplitude));
            k[2 * pair] = root;
            q[2 * pair] = std::copysign(root, amplitude) * std::cos(phase);
            q[2 * pair + 1] = std::copysign(root, amplitude) * std::sin(phase);
        }
        return {.q = RowSource::constant(std::move(q)), .k = RowSource::constant(std::move(k))};
    }
};

}  // namespace ropewalk
