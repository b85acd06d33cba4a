// What the partial sums of phasors bound, against distance (Su et al. 2021, arXiv:2104.09864, eq. 35–37 and Fig. 2).
#pragma once

#include <vector>

#include "core/attention.h"
#include "core/cancel.h"

namespace ropewalk {

/// (2/d)·Σ_{j=1}^{d/2} |S_j| at r = 0 … count − 1 tokens, the query being the last token; (d/2 + 1)/2 at r = 0. It
/// falls but not steadily, and bounds nothing until multiplied by how the amplitudes change. Phases are exact; the
/// error is below 1e-12.
std::vector<double> mean_partial_sums(const Problem& problem, int count, const Cancel& cancel);

/// Abel's bounds at every distance, for one (q, k):
///     |Σ h_t e^{irw_t}|  ≤  Σ|S_{t+1}||h_{t+1} − h_t|  ≤  max|h_{t+1} − h_t| · Σ|S_{t+1}|,    h_{d/2} = 0,
/// so that the last difference is |h_{d/2−1}|. All in units of the score.
struct AbelBounds {
    std::vector<double> magnitude, weighted, greatest;
};

/// The bounds for the amplitudes of this query and key (`pair_amplitudes`), as if they stood r = 0 … count − 1 tokens
/// apart and the query at the last token.
AbelBounds abel_bounds(const Problem& problem, int query, int key, int count, const Cancel& cancel);

}  // namespace ropewalk
