// What the machine can do at best: the measure that benchmarks are read against.
#pragma once

#include <cstddef>

namespace ropewalk::cpu {

/// Independent fused multiply-adds in registers on the calling thread, `rounds` for each of them. Returns how many
/// floating-point operations that was.
double run_fused_products_in_float(std::size_t rounds);
double run_fused_products_in_double(std::size_t rounds);

/// Exponentials as attention makes them, of logits in the first-level cache on the calling thread, `rounds` times 1024.
/// Returns how many that was.
double run_exponentials(std::size_t rounds);

/// Σ of an array, read once at full speed on the calling thread.
double read_through(const double* values, std::size_t count);

constexpr std::size_t widest_vector = 64;  // bytes, of any instruction set

/// Fills an array, which begins at a multiple of `widest_vector` bytes, past the caches at full speed on the calling
/// thread.
void write_through(double* values, std::size_t count);

}  // namespace ropewalk::cpu
