// All-ones queries and keys (Barbero et al. 2024, arXiv:2410.06205, Fig. 2a).
#pragma once

#include "core/constructions/common.h"

namespace ropewalk {

struct Ones : ConstructionDefaults {
    static constexpr auto id = "ones", title = "All ones", source = "Barbero et al. 2024, arXiv:2410.06205, Fig. 2a";
    static constexpr auto summary =
        "q = k = 1/√d at every token: under RoPE the score is the mean of cos(r·wₜ), 1 at distance 0.";
    static constexpr bool has_constant_rows = true;

    bool operator==(const Ones&) const = default;

    static void fields(auto&, auto&&) {}

    HeadInputs build(const Shape& shape) const {
        const double entry = 1 / std::sqrt(static_cast<double>(shape.head_dim));
        const RowSource row = RowSource::constant(every_pair(shape, entry, entry));
        return {.q = row, .k = row};
    }
};

}  // namespace ropewalk
