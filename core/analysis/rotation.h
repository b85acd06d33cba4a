// The rotation itself: cos(r·w) of every pair, pooled exactly (Hong et al. 2024, Fig. 2), and wavelengths.
#pragma once

#include <vector>

#include "core/attention.h"
#include "core/cancel.h"

namespace ropewalk {

/// Mean of cos(r·w_t) over the distances r of each cell, [pairs, cells] row-major, in closed form: no distance is
/// skipped, so what is too fast to be seen fades to 0 instead of aliasing.
std::vector<double> rotation_heat_map(const Lowered& lowered, Interval distances, int cells, const Cancel& cancel);

/// 2π / inv_freq, [pairs] in tokens; infinite for a pair that is not rotated.
std::vector<double> wavelengths(const Lowered& lowered);

/// Full turns of each pair over so many positions, N·w_t/2π [pairs]; below 1 for a pair that never comes round.
std::vector<double> turns(const Lowered& lowered, double positions);

}  // namespace ropewalk
