// The pixel columns of a curve of any length, and how each is drawn. Used by marks.cpp.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "app/plot/axes.h"
#include "app/plot/curve.h"
#include "core/error.h"

namespace ropewalk {

/// Points beyond this many pixels are moved here, because canvases have limited precision.
inline constexpr double far_away = 1e5;
inline constexpr std::size_t few_samples = 3;  // up to this many samples in a pixel column are drawn individually

inline double pixel_of_x(double x, const Frame& frame) {
    return std::clamp(frame.plot.x + frame.x.fraction(x) * frame.plot.width, -far_away, far_away);
}

/// Samples [first, past_last) in one pixel column.
struct Column {
    std::size_t first = 0, past_last = 0;
    double middle = 0;  // pixels

    std::size_t count() const { return past_last - first; }
    Extent extent(const Curve& curve) const { return curve.extent(first, past_last); }
};

/// Calls f(column) from left to right for each pixel column with samples, and for the nearest sample beyond either
/// side.
template <class F>
void for_each_column(const Curve& curve, const Frame& frame, F&& f) {
    ensure(curve.step > 0, "a curve's x values grow");
    const auto size = static_cast<double>(curve.size());
    const auto samples_before = [&](double x) {
        return static_cast<std::size_t>(std::clamp(std::ceil((x - curve.first) / curve.step), 0.0, size));
    };
    const auto beyond = [&](std::size_t i) {
        const bool exists = frame.x.scale == AxisScale::linear || curve.x_at(i) > 0;
        if (exists) f(Column{i, i + 1, pixel_of_x(curve.x_at(i), frame)});
    };
    std::size_t first = samples_before(frame.x.low);
    if (first > 0) beyond(first - 1);
    const int columns = static_cast<int>(std::ceil(frame.plot.width));
    for (int column = 0; column < columns; ++column) {
        const double right = std::min((column + 1) / frame.plot.width, 1.0);
        const std::size_t past_last = std::max(first, samples_before(frame.x.value(right)));
        if (past_last > first) f(Column{first, past_last, frame.plot.x + column + 0.5});
        first = past_last;
    }
    if (first < curve.size()) beyond(first);
}

/// How a pixel column of a curve is drawn: through its samples; by a stroke over their range, which keeps the peak of a
/// smooth curve; or, among several columns that go up and down, by an area over their range and their mean.
enum class Dense { no, peak, area };

struct DenseCurve {
    /// The range and mean of the samples of a column and of its neighbours in the same area, so that the edges of the
    /// area and the line of means can be followed by eye.
    struct Part {
        Extent range;
        double mean = 0;
    };

    std::vector<Column> columns;
    std::vector<Dense> kinds;
    std::vector<Part> parts;  // one per column; empty unless it is drawn as an area

    DenseCurve(const Curve& curve, const Frame& frame);
    /// Returns the curve's columns: those of the last call if the curve has cached extents and neither its x values nor
    /// the horizontal axis moved.
    static std::shared_ptr<const DenseCurve> of(const Curve& curve, const Frame& frame);

    bool has_area() const { return std::find(kinds.begin(), kinds.end(), Dense::area) != kinds.end(); }

  private:
    /// What the columns depend on, besides the values.
    struct Place {
        Axis x;
        double left = 0, width = 0, first = 0, step = 1;
        bool operator==(const Place&) const = default;
    };

    static Place place_of(const Curve& curve, const Frame& frame);
    Column around(std::size_t i) const;

    Place place_;
};
inline constexpr std::size_t area_window = 4;  // neighbours on either side

/// Returns the share of a curve's pixel columns that are drawn as areas.
double share_of_area(const Curve& curve, const Frame& frame);

}  // namespace ropewalk
