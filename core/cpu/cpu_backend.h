// Attention with SIMD kernels (Highway, dispatched at run time) on all cores (TBB), in float with exact phases. Heads
// whose logits depend on the distance alone are computed in double. Results do not depend on the number of threads.
#pragma once

#include <memory>

#include "core/attention/backend.h"

namespace ropewalk {

/// Returns the cpu backend; `threads` = 0 uses every core.
std::unique_ptr<Backend> make_cpu_backend(int threads = 0);

}  // namespace ropewalk
