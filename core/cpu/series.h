// What is asked of a function of the distance that is known at every distance: log-sum-exps from the first distance on,
// sums and extremes over sliding windows, and sums over rectangles of the matrix f(i − j).
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/attention.h"
#include "core/cancel.h"

namespace ropewalk::cpu {

/// An array that is not set to zero before it is filled.
class Buffer {
  public:
    Buffer() = default;
    explicit Buffer(std::size_t size) : size_(size), values_(new double[size]) {}
    std::size_t size() const { return size_; }
    double* data() { return values_.get(); }
    const double* data() const { return values_.get(); }
    double& operator[](std::size_t i) { return values_[i]; }
    double operator[](std::size_t i) const { return values_[i]; }
    operator std::span<const double>() const { return {values_.get(), size_}; }
    operator std::span<double>() { return {values_.get(), size_}; }

  private:
    std::size_t size_ = 0;
    std::unique_ptr<double[]> values_;
};

/// Of the beginnings values[0 … k] of a series, for k = kept_begin … size − 1: greatest value and log Σ exp.
struct PrefixLogSums {
    std::size_t kept_begin = 0;
    Buffer greatest, log_sum;
};

/// Exact however far the values spread: each prefix is summed relative to its own greatest value, give or take 600.
PrefixLogSums prefix_log_sums(std::span<const double> values, std::size_t kept_begin, const Cancel& cancel);

/// What the places before a series count as in windows that begin there.
struct Outside {
    double greatest = 0, least = 0;
};

/// Over the windows values[u − width + 1 … u], for every u. Places before the beginning add nothing to the sum. Sums are of
/// at most `width` terms, without subtraction: relative accuracy is kept however small a window's values are.
struct SlidingWindows {
    int width = 0;
    Buffer sum, greatest, least;
};
SlidingWindows sliding_windows(std::span<const double> values, int width, Outside outside, const Cancel& cancel);

/// Sums of f(i − j) over rectangles of rows × columns, from four values each, exact but for one rounding of every f(r) to
/// a multiple of 2⁻⁶¹ of the greatest |f|. f is 0 outside [first, first + values.size()).
class RectangleSums {
  public:
    RectangleSums(std::span<const double> values, std::int64_t first, const Cancel& cancel);
    double sum(Interval rows, Interval columns) const;

  private:
    __extension__ using Integer = unsigned __int128;  // wraps around; only differences are looked at

    /// Σ_{v ≤ r} Σ_{u ≤ v} f(u)
    Integer twice_summed(std::int64_t r) const { return r < first_ ? 0 : twice_summed_[static_cast<std::size_t>(r - first_)]; }

    std::int64_t first_ = 0;
    double quantum_ = 0;
    std::unique_ptr<Integer[]> twice_summed_;
};

}  // namespace ropewalk::cpu
