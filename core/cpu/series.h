// What is asked of a function of the distance that is known at every distance: log-sum-exps from the first distance on,
// sums and extremes over sliding windows, and sums over rectangles of the matrix f(i − j).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/attention.h"
#include "core/cancel.h"
#include "core/cpu/workspace.h"

namespace ropewalk::cpu {

/// Of some beginnings of a series: greatest value and log Σ exp.
struct PrefixLogSums {
    std::vector<double> greatest, log_sum;
};

/// A series, and what every computation on it needs besides.
struct SeriesTask {
    std::span<const double> values;
    Workspace& workspace;
    const Cancel& cancel;
};

/// Of the beginnings values[0 … last] for every last of `lasts`, which increase. Exact however far the values spread:
/// each is summed relative to its own greatest value, give or take 600.
PrefixLogSums prefix_log_sums(const SeriesTask& series, std::span<const int> lasts);

/// exp(value − reference), with `padding` zeros before them. There are none where the values spread so far that no one
/// reference serves them all.
struct Exponentials {
    double reference = 0;
    int padding = 0;
    Workspace::Array<double> values;  // [padding + size]

    explicit operator bool() const { return static_cast<bool>(values); }
};
Exponentials exponentials(const SeriesTask& series, int padding);

/// The same sums from the series' exponentials.
PrefixLogSums prefix_log_sums(const SeriesTask& series, const Exponentials& exponentials, std::span<const int> lasts);

/// Σ, greatest and least of the windows values[u − width + 1 … u], of those kinds that are wanted. Places before the
/// beginning count as 0 in sums and as `outside` among the extremes.
struct WindowStatistics {
    int width = 0;
    Workspace::Array<double> sum, greatest, least;  // [size], empty where not wanted
};
/// What places before a series count as.
struct Outside {
    double greatest = 0, least = 0;
};
/// Of all windows; or of those that end at these places alone, others being left undefined.
WindowStatistics window_statistics(const SeriesTask& series, int width, const CellContent& wanted, Outside outside,
                                   std::optional<std::span<const std::size_t>> ends = {});

/// A set of places of a series.
class Places {
  public:
    explicit Places(std::size_t size) : words_((size + 63) / 64) {}
    void add(std::size_t place) { words_[place / 64] |= std::uint64_t{1} << place % 64; }
    /// In increasing order.
    std::vector<std::size_t> list() const;

  private:
    std::vector<std::uint64_t> words_;
};

/// Σ of the windows values[u − width + 1 … u], for every u; places before the beginning count as 0. Sums are of at most
/// `width` terms, without subtraction: relative accuracy is kept however small a window's values are.
Workspace::Array<double> sliding_sums(const SeriesTask& series, int width);

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
