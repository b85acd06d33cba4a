// Included before Highway by every file of kernels: which instruction sets they are compiled for. The kernels keep
// arrays of vectors in registers, so a vector's size must be known to the compiler.
#pragma once

#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
