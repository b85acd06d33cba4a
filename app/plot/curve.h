// A curve of evenly spaced points, with cached extents that make a long one quick to draw.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "core/numbers/numbers.h"

namespace ropewalk {

/// The minimum and maximum of some values; empty if `min` is above `max`.
struct Extent {
    double min = infinity, max = -infinity;

    bool empty() const { return min > max; }
    /// Includes a value; ignores NaN.
    void take(double value) {
        min = value < min ? value : min;
        max = value > max ? value : max;
    }
    void take(const Extent& other) {
        min = other.min < min ? other.min : min;
        max = other.max > max ? other.max : max;
    }
};

/// Returns the extent of value_at(begin) … value_at(end − 1). Several independent running extents hide the latency of
/// one.
template <class ValueAt>
Extent extent_of(std::size_t begin, std::size_t end, ValueAt value_at) {
    constexpr std::size_t lanes = 4;
    std::array<Extent, lanes> extents;
    std::size_t i = begin;
    for (; i + lanes <= end; i += lanes)
        for (std::size_t lane = 0; lane < lanes; ++lane) extents[lane].take(value_at(i + lane));
    for (; i < end; ++i) extents[0].take(value_at(i));
    for (const Extent& extent : extents) extents[0].take(extent);
    return extents[0];
}

/// The sum of some values and their number, without NaN.
struct Total {
    double sum = 0, count = 0;

    void take(double value) {
        if (value == value) sum += value, ++count;
    }
    void take(const Total& other) { sum += other.sum, count += other.count; }
    double mean() const { return sum / count; }
};

class CurveExtents;
struct DenseCurve;

/// A curve given by y over evenly spaced x: x = first + i · step. NaN interrupts it.
struct Curve {
    std::span<const double> y;
    double first = 0, step = 1;
    std::span<const double> spread{};  // same size as y; the curve is y + spreads · spread
    double spreads = 0;
    std::shared_ptr<const CurveExtents> extents{};  // cached extents, or null

    std::size_t size() const { return y.size(); }
    double x_at(std::size_t i) const { return first + static_cast<double>(i) * step; }
    double y_at(std::size_t i) const { return spread.empty() ? y[i] : y[i] + spreads * spread[i]; }
    /// Returns the extent of the values [begin, end).
    Extent extent(std::size_t begin, std::size_t end) const;
    /// Returns the mean of the values [begin, end), or NaN if there is none. It has the same bits with or without
    /// cached extents.
    double mean(std::size_t begin, std::size_t end) const;
};

/// The extents and totals of a curve's blocks. With these, a million points draw as fast as a few thousand.
class CurveExtents {
  public:
    static constexpr std::size_t block = 64;

    explicit CurveExtents(const Curve& curve);
    /// Returns the extent of the blocks [begin, end).
    Extent of_blocks(std::size_t begin, std::size_t end) const;
    const Total& total_of_block(std::size_t i) const { return totals_[i]; }

  private:
    friend struct DenseCurve;

    std::vector<Extent> blocks_;
    std::vector<Total> totals_;
    mutable std::shared_ptr<const DenseCurve> drawn_;  // the columns drawn last; not synchronised
};

}  // namespace ropewalk
