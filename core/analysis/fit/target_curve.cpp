#include "core/analysis/fit/target_curve.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/numbers/numbers.h"

namespace ropewalk {
namespace {

double on_line(const TargetCurve::Point& from, const TargetCurve::Point& to, double distance) {
    if (distance == to.distance) return to.logit;
    return from.logit + (to.logit - from.logit) * (distance - from.distance) / (to.distance - from.distance);
}

/// Marks the points of [first, last] that a line between these two misses by more than the tolerance, the farthest
/// first (Douglas and Peucker 1973).
void mark_needed(const std::vector<TargetCurve::Point>& points, std::size_t first, std::size_t last, double tolerance,
                 std::vector<bool>& needed) {
    std::size_t farthest = first;
    double max = tolerance;
    for (std::size_t i = first + 1; i < last; ++i)
        if (const double off = std::abs(points[i].logit - on_line(points[first], points[last], points[i].distance));
            off > max)
            farthest = i, max = off;
    if (farthest == first) return;
    needed[farthest] = true;
    mark_needed(points, first, farthest, tolerance, needed);
    mark_needed(points, farthest, last, tolerance, needed);
}

}  // namespace

TargetCurve TargetCurve::of_list(const std::vector<double>& list) {
    std::vector<Point> points;
    for (std::size_t i = 0; i + 1 < list.size(); i += 2) points.push_back({list[i], list[i + 1]});
    return TargetCurve(std::move(points));
}

std::vector<double> TargetCurve::as_list() const {
    std::vector<double> list;
    for (const Point& point : points_) list.push_back(point.distance), list.push_back(point.logit);
    return list;
}

std::optional<std::string> TargetCurve::complaint_about(const std::vector<double>& list, const std::string& name) {
    if (list.size() % 2 != 0)
        return fmt::format("{} has {} numbers; it must have two per point, distance and logit", name, list.size());
    if (list.size() / 2 > most_points)
        return fmt::format("{} has {} points; it must have at most {}", name, list.size() / 2, most_points);
    for (std::size_t i = 0; i < list.size(); i += 2) {
        if (list[i] < 0) return fmt::format("{}[{}] is the distance {}; it must be at least 0", name, i, list[i]);
        if (i > 0 && !(list[i] > list[i - 2]))
            return fmt::format("{}[{}] is the distance {} after {}; distances must increase from point to point", name,
                               i, list[i], list[i - 2]);
    }
    return std::nullopt;
}

double TargetCurve::at(double distance) const {
    if (points_.empty() || !(distance >= points_.front().distance && distance <= points_.back().distance)) return nan;
    const auto next = std::lower_bound(points_.begin(), points_.end(), distance,
                                       [](const Point& point, double value) { return point.distance < value; });
    return next->distance == distance ? next->logit : on_line(next[-1], *next, distance);
}

std::pair<int, int> TargetCurve::whole_distances(int end) const {
    if (points_.empty()) return {0, 0};
    const double first = std::ceil(points_.front().distance), past = std::floor(points_.back().distance) + 1;
    const auto low = static_cast<int>(std::min<double>(first, end)),
               high = static_cast<int>(std::min<double>(past, end));
    return {low, std::max(low, high)};
}

std::vector<TargetCurve::Point> TargetCurve::opened(double low, double high) const {
    std::vector<Point> kept;
    for (const Point& point : points_)
        if (point.distance < low) kept.push_back(point);
    const double before = std::ceil(low) - 1, after = std::floor(high) + 1;
    if (const double logit = at(before); !std::isnan(logit) && (kept.empty() || kept.back().distance < before))
        kept.push_back({before, logit});
    if (const double logit = at(after); !std::isnan(logit)) kept.push_back({after, logit});
    for (const Point& point : points_)
        if (point.distance > high && (kept.empty() || point.distance > kept.back().distance)) kept.push_back(point);
    return kept;
}

TargetCurve TargetCurve::with_line(const Point& from, const Point& to) const {
    const Point &first = from.distance < to.distance ? from : to, &last = from.distance < to.distance ? to : from;
    std::vector<Point> points = opened(first.distance, last.distance);
    auto place =
        std::find_if(points.begin(), points.end(), [&](const Point& point) { return point.distance > last.distance; });
    place = points.insert(place, last.distance > first.distance ? last : to);
    if (last.distance > first.distance) points.insert(place, first);
    return TargetCurve(std::move(points));
}

TargetCurve TargetCurve::without(double from, double to) const {
    std::vector<Point> points = opened(std::min(from, to), std::max(from, to));
    if (points.size() == 1) points.clear();  // a single point is not visible as a curve
    return TargetCurve(std::move(points));
}

TargetCurve TargetCurve::simplified(double tolerance) const {
    if (points_.size() < 3) return *this;
    std::vector<bool> needed(points_.size());
    needed.front() = needed.back() = true;
    mark_needed(points_, 0, points_.size() - 1, tolerance, needed);
    std::vector<Point> kept;
    for (std::size_t i = 0; i < points_.size(); ++i)
        if (needed[i]) kept.push_back(points_[i]);
    return TargetCurve(std::move(kept));
}

}  // namespace ropewalk
