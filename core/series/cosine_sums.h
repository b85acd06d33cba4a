// Sums over the RoPE frequencies w_t = e^(−u·s_t), s_t = 2t/d, at one distance, for searches over the base e^u.
#pragma once

namespace ropewalk {

/// With x_t = r·w_t: Σ cos x_t, its derivative by u, Σ x_t s_t sin x_t, and the bound Σ |x_t s_t²| + (x_t s_t)² on its
/// second derivative.
struct CosineSums {
    double value = 0, slope = 0, curvature = 0;
};

/// Returns the sums at a distance r. The error of a term's cosine is below 5e-16·(1 + x_t).
CosineSums cosine_sums(int head_dim, double u, double distance);

}  // namespace ropewalk
