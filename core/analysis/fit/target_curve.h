// A curve over distance as it is drawn by hand: straight lines between points.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ropewalk {

/// Points (distance in tokens, logit) by growing distance. It says nothing before its first and after its last.
class TargetCurve {
  public:
    struct Point {
        double distance = 0, logit = 0;

        bool operator==(const Point&) const = default;
    };

    TargetCurve() = default;
    explicit TargetCurve(std::vector<Point> points) : points_(std::move(points)) {}
    /// distance, logit, distance, logit, …, of a list that passes `complaint_about`.
    static TargetCurve of_list(const std::vector<double>& list);
    std::vector<double> as_list() const;
    /// Why a list is no curve, as a sentence that calls it `name`; nothing if it is one.
    static std::optional<std::string> complaint_about(const std::vector<double>& list, const std::string& name);

    const std::vector<Point>& points() const { return points_; }
    bool is_empty() const { return points_.empty(); }
    /// NaN where it says nothing.
    double at(double distance) const;
    /// The whole distances it speaks of in [0, end), as a half-open range; empty if there are none.
    std::pair<int, int> whole_distances(int end) const;

    /// With a straight line from one point to another in place of what was between them; at whole distances beside them
    /// it stays what it was.
    TargetCurve with_line(const Point& from, const Point& to) const;
    /// Without what lay at these distances: a line bridges them, or the curve ends there.
    TargetCurve without(double from, double to) const;
    /// With as few of its points as keep it within `tolerance` [logits].
    TargetCurve simplified(double tolerance) const;

    bool operator==(const TargetCurve&) const = default;

  private:
    /// Without the points in [low, high], held at the whole distances next to them.
    std::vector<Point> opened(double low, double high) const;

    std::vector<Point> points_;
};

}  // namespace ropewalk
