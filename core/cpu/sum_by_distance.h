// Sums of cosines and sines over all distances at once, written where the caller wants them.
#pragma once

#include "core/cpu/cpu_backend.h"
#include "core/lowered.h"

namespace ropewalk::cpu {

/// `ropewalk::sum_by_distance` for r = first … first + out.size() − 1, into `out`.
void sum_by_distance(std::span<const DistanceTerm> terms, std::int64_t first, std::span<double> out,
                     const Cancel& cancel);

/// The score of constant rows q and k, [head_dim] in pair order, of tokens that a regime sets r · `step` positions
/// apart, as a sum over pairs (Hong et al. 2024, eq. 12); without attention_scaling.
std::vector<DistanceTerm> score_terms(const Lowered& lowered, const Regime& regime, std::span<const double> q,
                                      std::span<const double> k, std::int64_t step);

}  // namespace ropewalk::cpu
