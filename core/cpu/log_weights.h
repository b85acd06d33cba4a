// Logarithms of the weights of a row.
#pragma once

#include <cmath>
#include <span>

#include "core/series/vector_math.h"

namespace ropewalk::cpu {

/// Above this magnitude the rounding of logits would show in the logarithm of a row's sum: 1e-11 of a weight.
inline constexpr double large_logit = 1e5;

/// Logarithms of the weights of a row with this max logit and log-sum-exp. If the max is large, `sum` is Σ exp(logit −
/// max); rows in float, whose sums have another reference, never have such logits.
class LogWeights {
  public:
    LogWeights(double max, double log_sum, double sum)
        : is_of_large_(std::abs(max) > large_logit),
          max_(is_of_large_ ? max : 0),
          log_sum_(is_of_large_ ? std::log(sum) : log_sum) {}

    double of(double logit) const { return (logit - max_) - log_sum_; }
    /// Computes weights[i] = exp(of(logits[i])).
    void make_weights(std::span<const double> logits, double* weights) const {
        if (!is_of_large_) return exp_minus(logits, log_sum_, weights);
        for (std::size_t i = 0; i < logits.size(); ++i) weights[i] = std::exp(of(logits[i]));
    }

  private:
    bool is_of_large_;
    double max_, log_sum_;
};

}  // namespace ropewalk::cpu
