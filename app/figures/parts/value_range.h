// The ranges of what is drawn.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "app/plot/curve.h"

namespace ropewalk {

/// The least and greatest finite value; (0, 0) if there is none.
struct ValueRange {
    double min = 0, max = 0;

    bool operator==(const ValueRange&) const = default;
};
template <class Values>
ValueRange finite_range(const Values& values) {
    // A million values are looked at in a frame, and hardly ever is one infinite.
    Extent all = extent_of(0, values.size(), [&](std::size_t i) { return values[i]; });
    if (std::isinf(all.min) || std::isinf(all.max)) {
        all = {};
        for (const double value : values)
            if (std::isfinite(value)) all.take(value);
    }
    return all.empty() ? ValueRange{} : ValueRange{all.min, all.max};
}

/// The least range that holds both.
inline ValueRange united(const ValueRange& a, const ValueRange& b) {
    return {std::min(a.min, b.min), std::max(a.max, b.max)};
}

/// The range with a margin of 5 %, and of some height even if all values are equal.
inline ValueRange padded(ValueRange range) {
    double margin = (range.max - range.min) * 0.05;
    if (!(margin > std::abs(range.max) * 1e-12)) margin = range.max == 0 ? 1 : std::abs(range.max) * 0.1;
    return {range.min - margin, range.max + margin};
}

/// What the plots of one figure reach, by name, in all pictures of a row that is to be compared: a sweep's.
class PlotRanges {
  public:
    /// The range with all that it has been; it is that from now on.
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
