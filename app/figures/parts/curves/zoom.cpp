#include "app/figures/parts/curves/zoom.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

namespace ropewalk {
namespace {

constexpr double smallest_share = 1e-6;  // of the whole axis

/// Returns the range between two fractions of the whole axis, which are within 0 and 1; empty if it is all of it.
std::vector<double> between(const Axis& whole, double begin, double end) {
    constexpr double nearly_all = 1 - 1e-9;
    if (end - begin >= nearly_all) return {};
    return {whole.value(begin), whole.value(end)};
}

std::optional<Axis> part_of(const Axis& axis, const std::vector<double>& range) {
    if (range.size() != 2 || !(range[0] < range[1])) return std::nullopt;
    if (axis.scale == AxisScale::logarithmic && range[0] <= 0) return std::nullopt;
    Axis part = axis;
    part.low = range[0], part.high = range[1];
    return part;
}

}  // namespace

PlotOptions zoomed(PlotOptions options, const Zoom& zoom) {
    for (const auto& [axis, whole, range] :
         {std::tuple(&options.x, &options.whole_x, &zoom.x), std::tuple(&options.y, &options.whole_y, &zoom.y)})
        if (const auto part = part_of(*axis, *range)) {
            *whole = *axis;
            *axis = *part;
        }
    return options;
}

std::string nothing_in_sight(const Axis& shown, double first, double last) {
    if (shown.low <= last && shown.high >= first) return {};
    return fmt::format("No part of the curve is between {} and {}. It runs from {} to {}.", readable(shown.low),
                       readable(shown.high), readable(first), readable(last));
}

Extent extent_within(const Curve& curve, const Axis& x) {
    const auto index = [&](double at) {
        return static_cast<std::size_t>(std::clamp(at, 0.0, static_cast<double>(curve.size())));
    };
    const std::size_t begin = index(std::ceil((x.low - curve.first) / curve.step)),
                      end = index(std::floor((x.high - curve.first) / curve.step) + 1);
    return curve.extent(begin, std::max(begin, end));
}

std::vector<double> zoomed_about(const Axis& shown, const Axis& whole, double at, double factor) {
    const double low = whole.fraction(shown.low), high = whole.fraction(shown.high),
                 size = std::clamp((high - low) * factor, smallest_share, 1.0), centre = low + at * (high - low),
                 begin = std::clamp(centre - at * size, 0.0, 1 - size);
    return between(whole, begin, begin + size);
}

std::vector<double> zoomed_to(const Axis& shown, const Axis& whole, double mark) {
    constexpr double share = 0.1, min_numbers = 20;
    double size = std::max(smallest_share, share * (whole.fraction(shown.high) - whole.fraction(shown.low)));
    if (whole.scale == AxisScale::linear && whole.whole)
        size = std::max(size, std::min(1.0, min_numbers / (whole.high - whole.low)));
    const double begin = std::clamp(whole.fraction(mark) - size / 2, 0.0, 1 - size);
    return between(whole, begin, begin + size);
}

std::vector<double> shifted_by(const Axis& shown, const Axis& whole, double share) {
    const double low = whole.fraction(shown.low), size = whole.fraction(shown.high) - low,
                 begin = std::clamp(low + share * size, 0.0, std::max(0.0, 1 - size));
    return between(whole, begin, begin + size);
}

std::optional<std::string> ZoomableFigure::check_ranges() const {
    for (const auto& [name, range] : {std::pair("x", &x_range), std::pair("y", &y_range)})
        if (!range->empty() && (range->size() != 2 || !((*range)[0] < (*range)[1])))
            return fmt::format("{} is {}; it must be a range such as 2000:3000", name, text_of(*range));
    return std::nullopt;
}

}  // namespace ropewalk
