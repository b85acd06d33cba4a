// The ranges of what is drawn.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "core/numbers.h"

namespace ropewalk {

/// The least and greatest finite value; (0, 0) if there is none.
struct ValueRange {
    double least = 0, greatest = 0;

    bool operator==(const ValueRange&) const = default;
};
template <class Values>
ValueRange finite_range(const Values& values) {
    ValueRange range{infinity, -infinity};
    for (const double value : values)
        if (std::isfinite(value)) range = {std::min(range.least, value), std::max(range.greatest, value)};
    return range.least <= range.greatest ? range : ValueRange{};
}

/// The least range that holds both.
inline ValueRange united(const ValueRange& a, const ValueRange& b) {
    return {std::min(a.least, b.least), std::max(a.greatest, b.greatest)};
}

/// The range with a margin of 5 %, and of some height even if all values are equal.
inline ValueRange padded(ValueRange range) {
    double margin = (range.greatest - range.least) * 0.05;
    if (!(margin > std::abs(range.greatest) * 1e-12)) margin = range.greatest == 0 ? 1 : std::abs(range.greatest) * 0.1;
    return {range.least - margin, range.greatest + margin};
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
