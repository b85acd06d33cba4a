// Scores as sums over pairs.
#pragma once

#include <span>
#include <vector>

#include "core/encodings/lowered_encoding.h"
#include "core/series/sum_by_distance.h"

namespace ropewalk {

/// Returns the score of constant rows q and k, [head_dim] in pair order, as a sum over pairs, for tokens that a regime
/// maps r · `step` positions apart (Hong et al. 2024, eq. 12); without attention_scaling.
std::vector<DistanceTerm> score_terms(const LoweredEncoding& lowered, const Regime& regime, std::span<const double> q,
                                      std::span<const double> k, std::int64_t step);

/// Returns Σ of the terms' amplitudes, the bound on any undamped sum.
double max_possible(std::span<const DistanceTerm> terms);

}  // namespace ropewalk
