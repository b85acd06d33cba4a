// The rotation of every pair: cos(r·w), pooled exactly (Hong et al. 2024, Fig. 2), and wavelengths.
#pragma once

#include <vector>

#include "core/analysis/analysis_context.h"

namespace ropewalk {

/// How distances are divided into cells: equally, or so that each cell is by the same factor farther than the one
/// before, with at least one distance.
enum class DistanceScale { linear, logarithmic };

/// Returns the distances of one of the cells.
Interval distances_of_cell(Interval distances, int cells, DistanceScale scale, int cell);

/// Returns the mean of cos(r·w_t) over the distances r of each cell, for tokens `step` positions apart, [pairs, cells]
/// row-major. It is in closed form and skips no distance, so cosines too fast for a cell fade to 0 instead of aliasing.
/// Damping is ignored. With added waves, cos(r·w_t) is the product of the waves of pair t at two positions r apart.
std::vector<double> rotation_heat_map(const LoweredEncoding& lowered, int step, Interval distances, int cells,
                                      const Cancel& cancel, DistanceScale scale = DistanceScale::linear);

/// Returns r·w_t of each cell in [−π, π], [pairs, cells] in radians: the angle of the mean of exp(i·r·w_t), also in
/// closed form. NaN if that mean is shorter than 2/π, as for many distances spread over half a turn.
std::vector<double> rotation_phases(const LoweredEncoding& lowered, int step, Interval distances, int cells,
                                    const Cancel& cancel, DistanceScale scale = DistanceScale::linear);

enum class RotationPart { cosine, phase };
template <>
struct EnumText<RotationPart> {
    static constexpr std::array<EnumName, 2> names{{{"cosine", "Cosine"}, {"phase", "Phase"}}};
};

struct RotationQuestion : QuestionDefaults {
    using Answer = std::vector<double>;
    static constexpr auto stage = "rotation";
    Interval distances;
    int cells = 0;
    RotationPart part = RotationPart::cosine;
    DistanceScale scale = DistanceScale::linear;

    bool operator==(const RotationQuestion&) const = default;

    static Dependence dependence(const HeadAtCursor& head) {
        return {.experiment = {.positions = {.stride = head.experiment.positions.stride}}, .lowered = head.lowered};
    }
    Answer answer(const AnalysisContext& context) const {
        return (part == RotationPart::cosine ? rotation_heat_map : rotation_phases)(
            context.problem.lowered, context.problem.step(), distances, cells, context.cancel, scale);
    }
    RotationQuestion coarsened(const Problem&) const { return *this; }
};

/// Returns 2π / inv_freq, [pairs] in tokens, of the rotation or of the added waves; infinite for a pair that is not
/// rotated.
std::vector<double> wavelengths(const LoweredEncoding& lowered);

/// Returns the number of positions that a head's tokens span, including the last.
double spanned_positions(const Problem& problem);

/// Returns the full turns of each pair over `positions` positions, N·w_t/2π [pairs]; below 1 for a pair that never
/// completes a turn.
std::vector<double> turns(const LoweredEncoding& lowered, double positions);

}  // namespace ropewalk
