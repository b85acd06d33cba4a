// How exact the benchmark's arithmetic is, against long double.
#pragma once

#include <cstdint>

namespace ropewalk {

/// The greatest error of a pair's phase at this position [rad], over the frequencies of a head of 256 channels: against
/// the same angle in long double, reduced by a turn in two parts.
double phase_error_at(std::int64_t position);

/// The greatest error of a head of ones' logits, which follow from the distance alone, at 4096 distances up to
/// `seq_len`: against sums of cosines in long double. As a share of Σ of their amplitudes.
double curve_error_up_to(int head_dim, int seq_len);

}  // namespace ropewalk
