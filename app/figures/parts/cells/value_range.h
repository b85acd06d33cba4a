// Ranges of values.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "app/plot/curve.h"

namespace ropewalk {

/// The smallest and largest finite value; (0, 0) if there is none.
struct ValueRange {
    double min = 0, max = 0;

    bool operator==(const ValueRange&) const = default;
};
template <class Values>
ValueRange finite_range(const Values& values) {
    // Called on up to a million values per frame. The fast path is enough because infinite values are rare.
    Extent all = extent_of(0, values.size(), [&](std::size_t i) { return values[i]; });
    if (std::isinf(all.min) || std::isinf(all.max)) {
        all = {};
        for (const double value : values)
            if (std::isfinite(value)) all.take(value);
    }
    return all.empty() ? ValueRange{} : ValueRange{all.min, all.max};
}

/// Returns the smallest range that contains both.
inline ValueRange united(const ValueRange& a, const ValueRange& b) {
    return {std::min(a.min, b.min), std::max(a.max, b.max)};
}

/// Returns the range with a margin of 5 %, and with some height even if all values are equal.
inline ValueRange padded(ValueRange range) {
    double margin = (range.max - range.min) * 0.05;
    if (!(margin > std::abs(range.max) * 1e-12)) margin = range.max == 0 ? 1 : std::abs(range.max) * 0.1;
    return {range.min - margin, range.max + margin};
}

/// The ranges of a figure's plots by name, shared by all frames of a sweep so that these can be compared.
class PlotRanges {
  public:
    /// Widens the named range by `range` and returns it.
    ValueRange grown(const std::string& name, const ValueRange& range) {
        for (auto& [known, reached] : ranges_)
            if (known == name) return reached = united(reached, range);
        ranges_.emplace_back(name, range);
        return range;
    }
    bool operator==(const PlotRanges&) const = default;

  private:
    std::vector<std::pair<std::string, ValueRange>> ranges_;
};

}  // namespace ropewalk
