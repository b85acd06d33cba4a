// A repeated token, whose occurrences no head without positions can distinguish (Barbero et al. 2024, arXiv:2410.06205,
// Prop. 5.2).
#pragma once

#include "core/constructions/common.h"

namespace ropewalk {

struct RepeatedToken : ConstructionDefaults {
    static constexpr auto id = "repeated_token", title = "Repeated token",
                          source = "Barbero et al. 2024, arXiv:2410.06205, Prop. 5.2";
    static constexpr auto summary =
        "BOS, then one token x₁ repeated, with the same vector ψ as query and key: a head without positions cannot "
        "distinguish the copies.";
    static constexpr bool depends_on_seed = true;
    double norm_squared = 150;

    bool operator==(const RepeatedToken&) const = default;

    static void fields(auto& s, auto&& f) { f(norm_squared_field, s.norm_squared); }

    /// Gives BOS a random direction of the same length, and x₁ the q and k of the diagonal head of Thm 5.3.
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
