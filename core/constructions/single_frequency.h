// A semantic match carried by one pair alone, against distractors (Barbero et al. 2024, arXiv:2410.06205, Thm 6.1).
#pragma once

#include <fmt/format.h>

#include "core/constructions/common.h"

namespace ropewalk {

struct SingleFrequency : ConstructionDefaults {
    static constexpr auto id = "single_frequency", title = "Single frequency",
                          source = "Barbero et al. 2024, arXiv:2410.06205, Thm 6.1";
    static constexpr auto summary =
        "Token 0 matches every query on one pair; the others score 0. The match ‖ψ‖² cos(r·w) turns negative at r = "
        "⌈π/2w⌉.";
    int pair = 0;
    double norm_squared = 20;

    bool operator==(const SingleFrequency&) const = default;

    static void fields(auto& s, auto&& f) {
        f(Field{.name = "pair",
                .label = "Pair t",
                .min = 0,
                .max = widest_head / 2 - 1,
                .of_pairs = true,
                .meaning = Meaning::pair,
                .help = "The pair that carries the match, counted from 0, the fastest. All other pairs are 0."},
          s.pair);
        f(norm_squared_field, s.norm_squared);
    }

    std::optional<std::string> check(const Shape& shape) const {
        if (pair < shape.pairs()) return std::nullopt;
        return fmt::format("construction.pair is {}; with head_dim {} it must be from 0 to {}", pair, shape.head_dim,
                           shape.pairs() - 1);
    }

    HeadInputs build(const Shape& shape) const {
        auto match = every_pair(shape, 0, 0);
        match[2 * pair] = std::sqrt(norm_squared);
        return {.q = RowSource::constant(match),
                .k = RowSource::of([match](int token, std::span<double> row) {
                    for (std::size_t channel = 0; channel < row.size(); ++channel)
                        row[channel] = token == 0 ? match[channel] : 0;
                }),
                .samples = 1,
                .sample =
                    [match](int, std::span<double> q, std::span<double> k) {
                        std::copy(match.begin(), match.end(), q.begin());
                        std::copy(match.begin(), match.end(), k.begin());
                    },
                .sample_of = SampleOf::match};
    }
};

}  // namespace ropewalk
