// Measures the accuracy of the benchmark's arithmetic against long double.
#pragma once

#include <cstdint>

namespace ropewalk {

/// Returns the largest error of a pair's phase at this position [rad], over the frequencies of a head of 256 channels,
/// against the same angle in long double, reduced by a turn in two parts.
double phase_error_at(std::int64_t position);

/// Returns the largest error of the logits of a head of ones, which depend on distance alone, at 4096 distances up to
/// `seq_len`, against sums of cosines in long double. The error is relative to the sum of their amplitudes.
double curve_error_up_to(int head_dim, int seq_len);

}  // namespace ropewalk
