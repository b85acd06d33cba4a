// What each pair adds to one score (Hong et al. 2024, eq. 8–13).
#pragma once

#include <vector>

#include "core/analysis/analysis_context.h"

namespace ropewalk {

/// g_t [head_dim / 2]: q·k of query and key at their positions, pair by pair: rotated (and damped), or with
/// their waves added. Their sum is the score. In double.
std::vector<double> contributions(const Problem& problem, int query, int key);

/// Of the cursor's query and key.
struct ContributionsQuestion {
    using Answer = std::vector<double>;
    static constexpr auto stage = "contributions";
    static constexpr auto dependence = Dependence::experiment_and_cell;

    bool operator==(const ContributionsQuestion&) const = default;

    Answer answer(const AnalysisContext& context) const {
        return contributions(context.problem, context.cursor.query, context.cursor.key);
    }
    ContributionsQuestion coarsened(const Problem&) const { return *this; }
};

}  // namespace ropewalk
