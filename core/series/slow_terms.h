// Terms of a sum over distances that hardly turn within a tile: many of them are few functions of the place in it.
#pragma once

#include <span>
#include <vector>

namespace ropewalk {

/// Waves cos(z·x) and sin(z·x) over −1 ≤ x ≤ 1 in Chebyshev polynomials (Jacobi and Anger; DLMF 10.12.2 and 10.12.3):
///     cos(z·x) = Σ_k even_k T_2k(x),    even_k = (2 − [k = 0]) (−1)^k J_2k(z),
///     sin(z·x) = Σ_k odd_k T_(2k+1)(x),  odd_k = 2 (−1)^k J_(2k+1)(z),
/// k = 0 … order − 1; every Bessel function that is left out is below 10⁻¹⁷. z = w·H: radians over half a tile.
struct WaveExpansion {
    int order = 0;
    std::vector<double> even, odd;  // [waves, order], and `read_together` zeros
};

/// How many polynomials of either kind a wave needs; z ≥ 0.
int expansion_order(double z);

/// Of the waves with these z, of either sign, all with as many polynomials as the greatest |z| needs.
WaveExpansion expand_waves(std::span<const double> z);

/// How many of the waves are better expanded than summed one by one: those of least |z|, which stand last, in `tiles`
/// tiles of 2·half_width distances. Few enough that no more than `most_order` polynomials are needed.
std::size_t waves_to_expand(std::span<const double> falling_z, int half_width, std::size_t tiles);
inline constexpr int most_order = 64;
/// Coefficients that may be read from any place on.
inline constexpr int read_together = 4;

}  // namespace ropewalk
