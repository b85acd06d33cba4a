// Sums over the RoPE frequencies w_t = e^(−u·s_t) at one distance, for searches over the base e^u.
#pragma once

#include <cstddef>
#include <vector>

namespace ropewalk {

/// With x_t = r·w_t: Σ cos x_t, its derivative by u, Σ x_t s_t sin x_t, and the bound Σ |x_t s_t²| + (x_t s_t)² on its
/// second derivative.
struct CosineSums {
    double value = 0, slope = 0, curvature = 0;
};

/// Computes sums of cosines for one u. The error of a term's cosine is below 5e-16·(1 + x_t).
class CosineSum {
  public:
    explicit CosineSum(std::vector<double> exponents);

    CosineSums sums(double u, double distance) const;
    /// Returns Σ cos x_t, for many distances at the u of the last `set`.
    double value(double distance) const;
    void set(double u);

  private:
    std::size_t pairs_;
    std::vector<double> exponents_, turns_per_token_;  // padded to whole vectors
};

}  // namespace ropewalk
