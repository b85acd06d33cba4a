#include "app/figures/parts/brush.h"

#include <algorithm>
#include <cmath>

namespace ropewalk {

double told_apart(double value, const Frame& plot) {
    const double pixel = std::abs(plot.y.high - plot.y.low) / std::max(1.0, plot.plot.height);
    if (!(pixel > 0) || !std::isfinite(value)) return value;
    const double exponent = std::floor(std::log10(pixel));
    // By a power of ten that a double holds exactly, so that 0.3 is 0.3.
    return exponent < 0 ? std::round(value * std::pow(10, -exponent)) / std::pow(10, -exponent)
                        : std::round(value / std::pow(10, exponent)) * std::pow(10, exponent);
}

}  // namespace ropewalk
