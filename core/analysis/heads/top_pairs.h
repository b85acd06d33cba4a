// How often each pair is among those that add most to a score (Hong et al. 2024, section 4.1 and Fig. 1).
#pragma once

#include <cstdint>
#include <vector>

#include "core/analysis/analysis_context.h"

namespace ropewalk {

/// Share of each pair among the `top` greatest contributions of `cells` unmasked cells, [head_dim / 2] with sum 1. The
/// cells are spread evenly over the triangle (or the square) by a low-discrepancy sequence, the same on every machine;
/// where there are no more than so many, each counts once.
/// All pairs count where a head has fewer than `top`.
std::vector<double> top_pair_shares(const Problem& problem, int cells, int top, const Cancel& cancel);

/// Cells that the mask leaves.
std::int64_t unmasked_cells(const Problem& problem);

struct TopPairsQuestion {
    using Answer = std::vector<double>;
    static constexpr auto stage = "top pairs";
    static constexpr auto dependence = Dependence::experiment;
    int cells = 1000, top = 5;

    bool operator==(const TopPairsQuestion&) const = default;

    bool is_job(const Problem& problem) const { return std::int64_t{cells} * problem.head_dim() > 500'000; }
    Answer answer(const AnalysisContext& context) const {
        return top_pair_shares(context.problem, cells, top, context.cancel);
    }
};

}  // namespace ropewalk
