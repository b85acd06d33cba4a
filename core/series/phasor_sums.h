// Sums of unit phasors, one per pair, at many angles in parallel.
#pragma once

#include <complex>
#include <cstdint>
#include <span>
#include <vector>

#include "core/numbers/phase.h"
#include "core/series/aligned_doubles.h"

namespace ropewalk {

/// Number of angles processed together.
constexpr int phasor_lanes = 128;

/// Sums over the phasors z_t and their partial sums S_j = Σ_{t ≤ j} z_t, at `phasor_lanes` angles.
struct PhasorSums {
    alignas(64) double lengths[phasor_lanes] = {};   // Σ_j |S_j|
    alignas(64) double weighted[phasor_lanes] = {};  // Σ_j weight_j |S_j|
    alignas(64) double total[phasor_lanes] = {};     // |Σ_t amplitude_t z_t|
};

/// Phasors at equally spaced angles: pair t has the phase start_t + r · step_t, r = 0, 1, … …
class PhasorRun {
  public:
    PhasorRun(std::vector<Phase> start, std::vector<Phase> step);

    std::size_t pairs() const { return start_.size(); }
    /// Computes the sums at r = first … first + phasor_lanes − 1; without amplitudes only `lengths`.
    void sum(std::int64_t first, std::span<const std::complex<double>> amplitudes, std::span<const double> weights,
             PhasorSums& sums) const;

  private:
    std::vector<Phase> start_, step_;
    // Cosine and sine of b · step_t, [pairs, 2, phasor_lanes]. They give each phasor of a run by one complex product
    // from the first phasors of the run.
    AlignedDoubles turns_;
};

}  // namespace ropewalk
