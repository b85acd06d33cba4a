// Sums of cosines and sines at all distances.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/cancel.h"
#include "core/machine/large_array.h"
#include "core/numbers/phase.h"

namespace ropewalk {

/// One term of a sum over pairs: (cosine · cos(r·w) + sine · sin(r·w)) · exp(−damping·r), w as a phase per step of r.
struct DistanceTerm {
    double cosine = 0, sine = 0;
    Phase per_step = 0;
    double damping = 0;  // nepers per step; exp(−damping·r) must be finite at every r used
};

/// Returns f(r) = Σ_t terms[t] for r = first … first + count − 1, in double, by angle addition as one small matrix
/// product: error ≤ 5e-13 of Σ|amplitude|, damped, for r up to 2²⁰. Uses the calling thread's TBB arena.
Numbers sum_by_distance(std::span<const DistanceTerm> terms, std::int64_t first, int count, const Cancel& cancel);

/// Writes the same sums for r = first … first + out.size() − 1 to `out`.
void sum_by_distance(std::span<const DistanceTerm> terms, std::int64_t first, std::span<double> out,
                     const Cancel& cancel);

}  // namespace ropewalk
