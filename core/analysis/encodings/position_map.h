// The distances that an encoding turns by.
#pragma once

#include <vector>

#include "core/analysis/analysis_context.h"

namespace ropewalk {

/// m' − n' of `query` and the keys 0, 1, 2, … tokens before it, down to key 0: positions after the maps of the regime
/// that each distance falls in.
std::vector<double> effective_distances(const Problem& problem, int query);

/// From the last query back.
struct EffectiveDistanceQuestion {
    using Answer = std::vector<double>;
    static constexpr auto stage = "position map";
    static constexpr auto dependence = Dependence::experiment;

    bool operator==(const EffectiveDistanceQuestion&) const = default;

    Answer answer(const AnalysisContext& context) const {
        return effective_distances(context.problem, context.problem.seq_len - 1);
    }
};

}  // namespace ropewalk
