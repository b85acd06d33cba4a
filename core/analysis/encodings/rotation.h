// The rotation itself: cos(r·w) of every pair, pooled exactly (Hong et al. 2024, Fig. 2), and wavelengths.
#pragma once

#include <vector>

#include "core/analysis/analysis_context.h"

namespace ropewalk {

/// Mean of cos(r·w_t) over the distances r of each cell, in tokens `step` positions apart, [pairs, cells] row-major, in
/// closed form: no distance is skipped, so what is too fast to be seen fades to 0 instead of aliasing. Damping is left
/// out; where waves are added instead of rotating, cos(r·w_t) is the product of the waves of pair t at two positions r
/// apart.
std::vector<double> rotation_heat_map(const LoweredEncoding& lowered, int step, Interval distances, int cells,
                                      const Cancel& cancel);

/// r·w_t of each cell in [−π, π], [pairs, cells] in radians: the angle of its mean of exp(i·r·w_t), in closed form too.
/// NaN where that mean is shorter than 2/π, as that of many distances spread over half a turn.
std::vector<double> rotation_phases(const LoweredEncoding& lowered, int step, Interval distances, int cells,
                                    const Cancel& cancel);

enum class RotationPart { cosine, phase };
template <>
struct EnumText<RotationPart> {
    static constexpr std::array<EnumName, 2> names{{{"cosine", "Cosine"}, {"phase", "Phase"}}};
};

struct RotationQuestion {
    using Answer = std::vector<double>;
    static constexpr auto stage = "rotation";
    static constexpr auto dependence = Dependence::encoding;
    Interval distances;
    int cells = 0;
    RotationPart part = RotationPart::cosine;

    bool operator==(const RotationQuestion&) const = default;

    Answer answer(const AnalysisContext& context) const {
        return (part == RotationPart::cosine ? rotation_heat_map : rotation_phases)(
            context.problem.lowered, context.problem.step(), distances, cells, context.cancel);
    }
    RotationQuestion coarsened(const Problem&) const { return *this; }
};

/// 2π / inv_freq, [pairs] in tokens; infinite for a pair that is not rotated. Of an encoding that adds waves, theirs.
std::vector<double> wavelengths(const LoweredEncoding& lowered);

/// Positions that the tokens of a head span, the last one's own among them.
double spanned_positions(const Problem& problem);

/// Full turns of each pair over so many positions, N·w_t/2π [pairs]; below 1 for a pair that never comes round.
std::vector<double> turns(const LoweredEncoding& lowered, double positions);

}  // namespace ropewalk
