// Sums of unit phasors at many angles side by side.
#pragma once

#include <complex>

namespace ropewalk::cpu {

/// Angles that are worked on together.
constexpr int phasor_lanes = 128;

/// Of so many angles: the sum S of the phasors so far, and Σ|S| over all sums on the way.
struct PhasorSums {
    alignas(64) double x[phasor_lanes] = {}, y[phasor_lanes] = {};  // S
    alignas(64) double lengths[phasor_lanes] = {};                  // Σ|S|
};

/// Adds the phasors turn · (cosines[b] + i·sines[b]), |turn| = 1, and then the lengths of the sums times `weight` to
/// `lengths`.
void add_phasors(std::complex<double> turn, const double* cosines, const double* sines, double weight,
                 PhasorSums& sums);

}  // namespace ropewalk::cpu
