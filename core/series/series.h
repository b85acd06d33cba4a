// core/series: sums over pairs and over distances, with SIMD, for backends and analyses. Here: log-sum-exps and
// rectangle sums of a function f(i − j) that is known at every distance.
#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "core/attention/attention.h"
#include "core/cancel.h"
#include "core/machine/large_array.h"
#include "core/machine/workspace.h"
#include "core/series/vector_math.h"

namespace ropewalk {

/// Logits at distances first() … last() [tokens], computed from scores on demand.
struct LogitSeries {
    std::span<const double> scores;
    Line line;  // from scores to logits, by distance

    std::int64_t first() const { return line.first; }
    std::int64_t last() const { return line.first + static_cast<std::int64_t>(scores.size()) - 1; }
    double at(std::int64_t distance) const {
        const double value = line.factor * scores[static_cast<std::size_t>(distance - line.first)] -
                             line.slope * static_cast<double>(distance);
        return (line.cap == 0 ? value : line.cap * std::tanh(value / line.cap)) - line.offset;
    }
    LogitSeries range(std::int64_t from, std::int64_t to) const {
        LogitSeries part{.scores = scores.subspan(static_cast<std::size_t>(from - line.first),
                                                  static_cast<std::size_t>(to - from + 1)),
                         .line = line};
        part.line.first = from;
        return part;
    }
    /// Writes all logits to `out` [size] and returns their extremes.
    Extremes write(double* out) const { return add_line(scores, line, out); }
};

/// Number of values processed together, so that intermediate results stay in the cache.
inline constexpr std::size_t piece_size = 4096;

/// Calls make(piece) for all pieces of a series in parallel: range(piece · piece_size …).
void for_each_piece(const LogitSeries& series, const Cancel& cancel,
                    const std::function<void(std::size_t piece, const LogitSeries& part)>& make);

/// The largest spread of logits with one common reference: exp(±600) and sums of 2³⁰ of these are normal doubles.
inline constexpr double reference_slack = 600;

/// Max logit and log Σ exp of some prefixes of a series.
struct PrefixLogSums {
    Numbers max, log_sum;
};

/// Receives exp(logit − reference) of a piece.
using TakeExponentials = std::function<void(std::size_t piece, std::span<const double> exponentials)>;

/// Returns the sums of the prefixes 0 … last for every last of `lasts`, increasing places of the series. `reference`,
/// if given, is near all logits, and `take` receives their exponentials. Without it the sums are exact for any spread
/// of the logits: each is summed relative to its own max, within 600.
PrefixLogSums prefix_log_sums(const LogitSeries& logits, std::optional<double> reference, std::span<const int> lasts,
                              const Cancel& cancel, const TakeExponentials& take = {});

/// Sums of f(i − j) over rectangles of rows × columns, from four values each. They are exact except that every f(r) is
/// rounded to a multiple of 2⁻⁶¹ of the largest |f|. f is 0 before `first`, where the series begins.
class RectangleSums {
  public:
    RectangleSums(std::span<const double> values, std::int64_t first, Workspace& workspace, const Cancel& cancel);
    double sum(Interval rows, Interval columns) const;

  private:
    __extension__ using Integer = unsigned __int128;  // wraps around; only differences are used

    /// Returns Σ_{v ≤ r} Σ_{u ≤ v} f(u).
    Integer twice_summed(std::int64_t r) const {
        return r < first_ ? 0 : twice_summed_[static_cast<std::size_t>(r - first_)];
    }

    std::int64_t first_ = 0;
    double quantum_ = 0;
    Workspace::Array<Integer> twice_summed_;
};

}  // namespace ropewalk
