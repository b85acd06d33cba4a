// The rotation itself: cos(r·w) of every pair, pooled exactly (Hong et al. 2024, Fig. 2), and wavelengths.
#pragma once

#include <vector>

#include "core/attention.h"
#include "core/cancel.h"

namespace ropewalk {

/// Mean of cos(r·w_t) over the distances r of each cell, [pairs, cells] row-major, in closed form: no distance is
/// skipped, so what is too fast to be seen fades to 0 instead of aliasing. Damping is left out; where waves are added
/// instead of rotating, cos(r·w_t) is the product of the waves of pair t at two positions r apart.
std::vector<double> rotation_heat_map(const Lowered& lowered, Interval distances, int cells, const Cancel& cancel);

/// 2π / inv_freq, [pairs] in tokens; infinite for a pair that is not rotated. Of an encoding that adds waves, theirs.
std::vector<double> wavelengths(const Lowered& lowered);

}  // namespace ropewalk
