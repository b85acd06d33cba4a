// How many entries a cell covers, in words.
#pragma once

#include <cmath>
#include <string>

#include "app/plot/axes.h"

namespace ropewalk {

/// Returns "8", or "up to 8" for a mean of 7.35: cells that share entries as evenly as possible cover 7 or 8.
inline std::string count_per_cell(double mean) {
    const double most = std::ceil(mean);
    return (most > mean ? "up to " : "") + readable(most, 7);
}

/// Returns "8 × 4", or "up to 2 × 2" if either mean is not a whole number.
inline std::string counts_per_cell(double down, double across) {
    const double high = std::ceil(down), wide = std::ceil(across);
    return (high > down || wide > across ? "up to " : "") + readable(high, 7) + " × " + readable(wide, 7);
}

}  // namespace ropewalk
