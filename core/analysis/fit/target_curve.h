// A hand-drawn curve over distance: straight lines between points.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ropewalk {

/// Points (distance in tokens, logit) with increasing distance. Undefined before the first and after the last.
class TargetCurve {
  public:
    struct Point {
        double distance = 0, logit = 0;

        bool operator==(const Point&) const = default;
    };

    static constexpr std::size_t most_points = 4096;  // simplified in a few frames, whatever they are

    TargetCurve() = default;
    explicit TargetCurve(std::vector<Point> points) : points_(std::move(points)) {}
    /// Returns the curve of a list distance, logit, distance, logit, … that passes `complaint_about`.
    static TargetCurve of_list(const std::vector<double>& list);
    std::vector<double> as_list() const;
    /// Returns why a list is not a curve, as a sentence that calls it `name`; nothing if it is one.
    static std::optional<std::string> complaint_about(const std::vector<double>& list, const std::string& name);

    const std::vector<Point>& points() const { return points_; }
    bool is_empty() const { return points_.empty(); }
    /// Returns the logit at `distance`, or NaN where the curve is undefined.
    double at(double distance) const;
    /// Returns the whole distances in [0, end) at which the curve is defined, as a half-open range; may be empty.
    std::pair<int, int> whole_distances(int end) const;

    /// Returns the curve with everything between two points replaced by a straight line; at other whole distances it
    /// does not change.
    TargetCurve with_line(const Point& from, const Point& to) const;
    /// Returns the curve without these distances: a line bridges them, or the curve ends there.
    TargetCurve without(double from, double to) const;
    /// Returns the curve with as few of its points as keep it within `tolerance` [logits].
    TargetCurve simplified(double tolerance) const;

    bool operator==(const TargetCurve&) const = default;

  private:
    /// Returns the points without those in [low, high], with points added at the whole distances next to the gap.
    std::vector<Point> opened(double low, double high) const;

    std::vector<Point> points_;
};

}  // namespace ropewalk
