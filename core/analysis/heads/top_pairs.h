// How often each pair is among the largest contributions to a score (Hong et al. 2024, section 4.1 and Fig. 1).
#pragma once

#include <cstdint>
#include <vector>

#include "core/analysis/analysis_context.h"

namespace ropewalk {

/// Returns the number of unmasked entries.
std::int64_t unmasked_cells(const Problem& problem);

/// Asks for each pair's share of the `top` largest contributions in `cells` unmasked entries, [head_dim / 2] with
/// sum 1. The entries are spread evenly over the triangle (or the square, or the band) by a low-discrepancy sequence,
/// the same on every machine; if there are no more than `cells`, each is used once. In a head with fewer than `top`
/// pairs all pairs count.
struct TopPairsQuestion : QuestionDefaults {
    using Answer = std::vector<double>;
    static constexpr auto stage = "top pairs";
    int cells = 1000, top = 5;

    bool operator==(const TopPairsQuestion&) const = default;

    bool is_job(const Problem& problem) const { return std::int64_t{cells} * problem.head_dim() > 500'000; }
    Answer answer(const AnalysisContext& context) const;
};

}  // namespace ropewalk
