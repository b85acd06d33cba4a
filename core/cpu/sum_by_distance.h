// Sums of cosines and sines over all distances at once, written where the caller wants them.
#pragma once

#include "core/cpu/cpu_backend.h"

namespace ropewalk::cpu {

/// `ropewalk::sum_by_distance` for r = first … first + out.size() − 1, into `out`.
void sum_by_distance(std::span<const DistanceTerm> terms, std::int64_t first, std::span<double> out,
                     const Cancel& cancel);

}  // namespace ropewalk::cpu
