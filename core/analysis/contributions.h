// What each pair adds to one score (Hong et al. 2024, eq. 8–13).
#pragma once

#include <vector>

#include "core/attention.h"

namespace ropewalk {

/// g_t [head_dim / 2]: q·k of query and key at their positions, pair by pair: rotated (and damped), or with
/// their waves added. Their sum is the score. In double.
std::vector<double> contributions(const Problem& problem, int query, int key);

}  // namespace ropewalk
