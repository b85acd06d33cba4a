// What each pair adds to one score (Hong et al. 2024, eq. 8–13).
#pragma once

#include <vector>

#include "core/attention.h"

namespace ropewalk {

/// g_t [head_dim / 2]: the rotated q·k of query and key, pair by pair; their sum is the score. In double.
std::vector<double> contributions(const Problem& problem, int query, int key);

}  // namespace ropewalk
