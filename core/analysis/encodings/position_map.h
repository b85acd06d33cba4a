// The effective distances of an encoding.
#pragma once

#include <vector>

#include "core/analysis/analysis_context.h"

namespace ropewalk {

/// Returns m' − n' of `query` and the keys 0, 1, 2, … tokens before it, down to key 0: positions after the maps of each
/// distance's regime.
std::vector<double> effective_distances(const Problem& problem, int query);

/// Asks for the effective distances from the last query.
struct EffectiveDistanceQuestion : QuestionDefaults {
    using Answer = std::vector<double>;
    static constexpr auto stage = "position map";

    bool operator==(const EffectiveDistanceQuestion&) const = default;

    Answer answer(const AnalysisContext& context) const {
        return effective_distances(context.problem, context.problem.seq_len - 1);
    }
};

}  // namespace ropewalk
