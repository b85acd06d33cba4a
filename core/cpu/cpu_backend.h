// Attention with SIMD kernels (Highway, dispatched at run time) on all cores (TBB), in float with exact phases; heads
// whose logits depend on the distance alone take a path in double. Results do not depend on the number of threads.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "core/backend.h"

namespace ropewalk {

/// `threads` = 0 takes every core.
std::unique_ptr<Backend> make_cpu_backend(int threads = 0);

/// One term of a sum over pairs: (cosine · cos(r·w) + sine · sin(r·w)) · exp(−damping·r), w as a phase per step of r.
struct DistanceTerm {
    double cosine = 0, sine = 0;
    Phase per_step = 0;
    double damping = 0;  // nepers per step; exp(−damping·r) must be finite wherever it is asked for
};

/// f(r) = Σ_t terms[t] for r = first … first + count − 1, in double, by angle addition as one small matrix product:
/// error ≤ 5e-13 of Σ|amplitude|, damped, for r up to 2²⁰. Uses the calling thread's TBB arena.
std::vector<double> sum_by_distance(std::span<const DistanceTerm> terms, std::int64_t first, int count,
                                    const Cancel& cancel);

}  // namespace ropewalk
