#include "app/figures/parts/curves/twins.h"

#include <algorithm>
#include <cmath>

namespace ropewalk {
namespace {

constexpr std::size_t samples = 1000;  // of a curve, at most, that are compared
constexpr double invisible = 2e-3;     // of the axis, or of the curves' range

/// Returns whether two curves over the same x cannot be distinguished on this axis.
bool are_alike_on(const Axis& axis, std::span<const double> one, std::span<const double> other) {
    if (one.size() != other.size() || one.empty()) return false;
    for (std::size_t i = 0; i < one.size(); i += std::max<std::size_t>(1, one.size() / samples)) {
        const bool is_drawn = std::isfinite(one[i]) && std::isfinite(other[i]);
        if (is_drawn ? !(std::abs(axis.fraction(one[i]) - axis.fraction(other[i])) <= invisible)
                     : std::isfinite(one[i]) || std::isfinite(other[i]))
            return false;
    }
    return true;
}

/// Returns whether one of two named lines would hide the other.
bool coincide(const Series& one, const Series& other, const Axis& y) {
    const auto is_line = [](const Series& series) {
        return series.of == Series::Of::current && !series.label.empty() && !series.as_dots && !series.as_bars;
    };
    if (!is_line(one) || !is_line(other) || one.dash.is_solid() != other.dash.is_solid()) return false;
    if (one.values && other.values)
        return one.first == other.first && one.step == other.step && are_alike_on(y, *one.values, *other.values);
    return one.points.size() > 1 && std::ranges::equal(one.points, other.points, {}, &Point::x, &Point::x) &&
           are_alike_on(y, column_of(one.points, &Point::y), column_of(other.points, &Point::y));
}

}  // namespace

bool are_alike(std::span<const double> one, std::span<const double> other) {
    if (one.size() != other.size() || one.empty()) return false;
    const std::size_t stride = std::max<std::size_t>(1, one.size() / samples);
    ValueRange range{one[0], one[0]};
    for (std::size_t i = 0; i < one.size(); i += stride)
        range = {std::min(range.min, one[i]), std::max(range.max, one[i])};
    const double tolerance = invisible * std::max(range.max - range.min, std::abs(range.max));
    std::ptrdiff_t alike = 0, all = 0;
    for (std::size_t i = 0; i < one.size(); i += stride, ++all) alike += std::abs(one[i] - other[i]) <= tolerance;
    return 2 * alike > all;
}

void widen_twins(std::vector<Series>& series, const Axis& y) {
    constexpr double thin = 2, most = 2 * wider_per_twin;
    constexpr Dashes dashes{7, 5};
    for (auto below = series.begin(); below != series.end(); ++below) {
        double wider = 0;
        for (auto above = below + 1; above != series.end(); ++above)
            if (coincide(*below, *above, y)) {
                wider += wider_per_twin, above->width = std::min(above->width, thin);
                if (!above->values) above->dash = dashes;  // values may be too dense
            }
        if (wider > 0) below->width = std::max(below->width, thin + std::min(wider, most));
    }
}

}  // namespace ropewalk
