// What is asked of a function of the distance that is known at every distance: log-sum-exps from the first distance on,
// sums and extremes over sliding windows, and sums over rectangles of the matrix f(i − j).
#pragma once

#include <cstdint>
#include <span>

#include "core/attention.h"
#include "core/cancel.h"
#include "core/cpu/workspace.h"

namespace ropewalk::cpu {

/// Of the beginnings values[0 … k] of a series, for k = kept_begin … size − 1: greatest value and log Σ exp.
struct PrefixLogSums {
    std::size_t kept_begin = 0;
    Workspace::Array<double> greatest, log_sum;
};

/// A series, and what every computation on it needs besides.
struct SeriesTask {
    std::span<const double> values;
    Workspace& workspace;
    const Cancel& cancel;
};

/// Exact however far the values spread: each prefix is summed relative to its own greatest value, give or take 600.
PrefixLogSums prefix_log_sums(const SeriesTask& series, std::size_t kept_begin);

/// Σ of the windows values[u − width + 1 … u], for every u; places before the beginning count as 0. Sums are of at most
/// `width` terms, without subtraction: relative accuracy is kept however small a window's values are.
Workspace::Array<double> sliding_sums(const SeriesTask& series, int width);

/// Greatest and least of the same windows.
struct SlidingExtremes {
    Workspace::Array<double> greatest, least;
};
/// What the places before a series count as in windows that begin there.
struct Outside {
    double greatest = 0, least = 0;
};
SlidingExtremes sliding_extremes(const SeriesTask& series, int width, Outside outside);

/// Sums of f(i − j) over rectangles of rows × columns, from four values each, exact but for one rounding of every f(r)
/// to a multiple of 2⁻⁶¹ of the greatest |f|. f is 0 before `first`, where the series begins.
class RectangleSums {
  public:
    RectangleSums(const SeriesTask& series, std::int64_t first);
    double sum(Interval rows, Interval columns) const;

  private:
    __extension__ using Integer = unsigned __int128;  // wraps around; only differences are looked at

    /// Σ_{v ≤ r} Σ_{u ≤ v} f(u)
    Integer twice_summed(std::int64_t r) const {
        return r < first_ ? 0 : twice_summed_[static_cast<std::size_t>(r - first_)];
    }

    std::int64_t first_ = 0;
    double quantum_ = 0;
    Workspace::Array<Integer> twice_summed_;
};

}  // namespace ropewalk::cpu
