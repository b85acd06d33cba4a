#include "app/figures/figure.h"

#include <algorithm>

namespace ropewalk {

ValueRange FigureInput::range_of(const RangeKey& key) const {
    return memo.range(key, [&] {
        if (key.skipped_columns == 0 && key.outermost == 0 && !key.visible) return finite_range(*key.values);
        std::vector<double> counted;
        counted.reserve(key.values->size());
        for (std::size_t i = 0; i < key.values->size(); ++i) {
            const double value = (*key.values)[i];
            const std::size_t columns = std::max<std::size_t>(1, static_cast<std::size_t>(key.columns));
            const int column = static_cast<int>(i % columns);
            const bool masked = key.visible && column >= (*key.visible)[i / columns];
            if (column >= key.skipped_columns && !masked && std::isfinite(value)) counted.push_back(value);
        }
        if (key.outermost == 0 || counted.empty()) return finite_range(counted);
        const auto at = [&](double fraction) {
            const auto nth =
                counted.begin() + static_cast<std::ptrdiff_t>(fraction * static_cast<double>(counted.size() - 1));
            std::nth_element(counted.begin(), nth, counted.end());
            return *nth;
        };
        return ValueRange{at(key.outermost), at(1 - key.outermost)};
    });
}

Axis FigureInput::reached(Axis axis) const {
    const ValueRange all = reached("x: " + axis.title, {axis.low, axis.high});
    axis.low = all.min, axis.high = all.max;
    return axis;
}

}  // namespace ropewalk
