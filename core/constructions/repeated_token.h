// A repeated token, which no head without positions can tell from itself (Barbero et al. 2024, arXiv:2410.06205,
// Prop. 5.2).
#pragma once

#include "core/constructions/common.h"

namespace ropewalk {

struct RepeatedToken : ConstructionDefaults {
    static constexpr auto id = "repeated_token", title = "Repeated token",
                          source = "Barbero et al. 2024, arXiv:2410.06205, Prop. 5.2";
    static constexpr auto summary =
        "BOS, then one token x₁ over and over, with q = k = ψ: what a head without positions cannot tell apart.";
    double norm_squared = 150;

    bool operator==(const RepeatedToken&) const = default;

    template <class S, class F>
    static void fields(S& s, F&& f) {
        f(norm_squared_field, s.norm_squared);
    }

    /// BOS has a random direction of the same length; q and k of x₁ are those of the diagonal head of Thm 5.3.
    HeadInputs build(const Shape& shape) const {
        const auto psi = every_pair(shape, std::sqrt(norm_squared / shape.pairs()), 0);
        std::vector<double> bos(psi.size());
        fill_gaussian({.seed = shape.seed, .stream = RandomStream::content}, bos);
        scale_to(norm_squared, bos);
        const RowSource rows = RowSource::of([psi, bos](int token, std::span<double> row) {
            const auto& vector = token == 0 ? bos : psi;
            std::copy(vector.begin(), vector.end(), row.begin());
        });
        std::vector<std::string> labels{"BOS"};
        for (int token = 1; token < shape.seq_len && token < 4096; ++token) labels.emplace_back("x₁");
        return {.q = rows, .k = rows, .labels = std::move(labels)};
    }
};

}  // namespace ropewalk
