// The effective distances of an encoding.
#pragma once

#include <vector>

#include "core/analysis/analysis_context.h"

namespace ropewalk {

/// Asks for m' − n' of the last query and the keys 0, 1, 2, … tokens before it, down to key 0: positions after the maps
/// of each distance's regime.
struct EffectiveDistanceQuestion : QuestionDefaults {
    using Answer = std::vector<double>;
    static constexpr auto stage = "position map";

    bool operator==(const EffectiveDistanceQuestion&) const = default;

    Answer answer(const AnalysisContext& context) const;
};

}  // namespace ropewalk
