// core/numbers: exact phases, portable random numbers and hashes, differential equations. Here: short names for the
// doubles ∞ and NaN.
#pragma once

#include <limits>

namespace ropewalk {

inline constexpr double infinity = std::numeric_limits<double>::infinity();
inline constexpr double nan = std::numeric_limits<double>::quiet_NaN();

}  // namespace ropewalk
