// core/cpu: the cpu backend. by_distance/ computes heads whose logits depend on the distance alone, in double; by_row/
// all others, in float with exact phases; whole_matrix/ all N² numbers; kernels/ holds the SIMD loops of these.
//
// Kernels use Highway, dispatched at run time, and TBB on all cores. Results do not depend on the number of threads.
#pragma once

#include <memory>

#include "core/attention/backend.h"

namespace ropewalk {

/// Returns the cpu backend; `threads` = 0 uses every core.
std::unique_ptr<Backend> make_cpu_backend(int threads = 0);

}  // namespace ropewalk
