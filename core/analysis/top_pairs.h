// How often each pair is among those that add most to a score (Hong et al. 2024, section 4.1 and Fig. 1).
#pragma once

#include <vector>

#include "core/attention.h"
#include "core/cancel.h"

namespace ropewalk {

/// Share of each pair among the `top` greatest contributions of `cells` unmasked cells, [head_dim / 2] with sum 1. The
/// cells are spread evenly over the triangle (or the square) by a low-discrepancy sequence, the same on every machine.
/// All pairs count where a head has fewer than `top`.
std::vector<double> top_pair_shares(const Problem& problem, int cells, int top, const Cancel& cancel);

}  // namespace ropewalk
