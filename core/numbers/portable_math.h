// Elementary functions from basic operations only, because libraries differ in the last bit: the same bits on every
// machine.
#pragma once

#include <cstdint>

#include "core/numbers/phase.h"

namespace ropewalk {

/// Returns the natural logarithm of x > 0, within 4 ulp: log m = 2 artanh((m−1)/(m+1)).
double portable_log(double x);

/// Returns exp(x) for x ≤ 0, within 4 ulp; 0 below −700.
double portable_exp_of_nonpositive(double x);

struct SineAndCosine {
    double sine = 0, cosine = 0;
};
/// Returns sine and cosine of a phase, within 4e-16.
SineAndCosine portable_sine_and_cosine(Phase phase);

}  // namespace ropewalk
