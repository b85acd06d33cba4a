// Peak performance of the machine, the reference for benchmarks.
#pragma once

#include <cstddef>

namespace ropewalk::cpu {

/// Runs `rounds` rounds of independent fused multiply-adds in registers on the calling thread. Returns the number of
/// floating-point operations.
double run_fused_products_in_float(std::size_t rounds);
double run_fused_products_in_double(std::size_t rounds);

/// Computes exponentials as attention does, of logits in the first-level cache on the calling thread, `rounds` times
/// 1024. Returns their number.
double run_exponentials(std::size_t rounds);

/// Returns Σ of an array, read once at full speed on the calling thread.
double read_through(const double* values, std::size_t count);

constexpr std::size_t widest_vector = 64;  // bytes, of any instruction set

/// Fills an array with non-temporal stores at full speed on the calling thread. It must begin at a multiple of
/// `widest_vector` bytes.
void write_through(double* values, std::size_t count);

}  // namespace ropewalk::cpu
