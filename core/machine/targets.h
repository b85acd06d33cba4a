// Selects the instruction sets that kernels are compiled for; include it before Highway. The kernels keep arrays of
// vectors in registers, so the compiler must know the size of a vector. Processors with SSSE3 but without SSE4 are of
// 2006 and take the scalar code.
#pragma once

#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
