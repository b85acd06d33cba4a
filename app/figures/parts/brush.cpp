#include "app/figures/parts/brush.h"

#include <algorithm>
#include <cmath>

namespace ropewalk {

double rounded_to_pixel(double value, const Frame& plot) {
    const double pixel = std::abs(plot.y.high - plot.y.low) / std::max(1.0, plot.plot.height);
    if (!(pixel > 0) || !std::isfinite(value)) return value;
    const double exponent = std::floor(std::log10(pixel));
    // Multiply and divide by powers of ten that a double represents exactly, so that 0.3 stays 0.3.
    return exponent < 0 ? std::round(value * std::pow(10, -exponent)) / std::pow(10, -exponent)
                        : std::round(value / std::pow(10, exponent)) * std::pow(10, exponent);
}

}  // namespace ropewalk
