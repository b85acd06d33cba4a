// A cache of what drawing would otherwise recompute in every frame.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "app/figures/parts/value_range.h"
#include "app/plot/curve.h"

namespace ropewalk {

/// Key of a cached range. Compares addresses, because results never change.
struct RangeKey {
    std::shared_ptr<const std::vector<double>> values;
    std::shared_ptr<const std::vector<int>> visible;  // number of values that count in each row; null: all
    int columns = 0, skipped_columns = 0;             // the first `skipped_columns` of each row do not count
    double outermost = 0;                             // fraction excluded at either end

    bool operator==(const RangeKey&) const = default;
};

using Numbers = std::shared_ptr<const std::vector<double>>;

/// Returns values that `owner` keeps alive.
inline Numbers part_of(const std::shared_ptr<const void>& owner, const std::vector<double>& values) {
    return {owner, &values};
}

/// The cache of one place that draws. It keeps no results alive.
class FigureMemo {
  public:
    template <class Make>
    ValueRange range(const RangeKey& key, Make&& make) {
        std::erase_if(ranges_, [](const Range& known) { return known.values.expired(); });
        for (const Range& known : ranges_)
            if (known.is_of(key)) return known.range;
        if (ranges_.size() == capacity) ranges_.erase(ranges_.begin());
        ranges_.push_back({key.values, key.visible, without_pointers(key), make()});
        return ranges_.back().range;
    }

    /// Returns the curve with cached extents if it is long, so that it draws quickly. Its numbers belong to `values`
    /// and `spread`.
    Curve quick(Curve curve, const Numbers& values, const Numbers& spread = {}) {
        constexpr std::size_t is_long = 1 << 14;
        if (curve.size() < is_long) return curve;
        std::erase_if(curves_, [](const Summary& known) { return known.values.expired(); });
        const auto is_known = [&](const Summary& known) {
            return known.values.lock() == values && known.spread.lock() == spread && known.spreads == curve.spreads &&
                   known.size == curve.size();
        };
        auto found = std::find_if(curves_.begin(), curves_.end(), is_known);
        if (found == curves_.end()) {
            if (curves_.size() == capacity) curves_.erase(curves_.begin());
            curves_.push_back(
                {values, spread, curve.spreads, curve.size(), std::make_shared<const CurveExtents>(curve)});
            found = std::prev(curves_.end());
        }
        curve.extents = found->extents;
        return curve;
    }

    /// Returns values − others; both have the same size.
    Numbers difference(const Numbers& values, const Numbers& others) {
        return combined(values, others, [&] {
            std::vector<double> apart(*values);
            for (std::size_t i = 0; i < apart.size(); ++i) apart[i] -= (*others)[i];
            return apart;
        });
    }

    /// Returns what `make` makes of two arrays, cached for as long as both exist.
    template <class Make>
    Numbers combined(const Numbers& first, const Numbers& second, Make&& make) {
        return made_of({first, second}, std::forward<Make>(make));
    }

    /// Returns the first `count` values in reverse order.
    Numbers reversed(const Numbers& values, std::size_t count) {
        return made_of({values, values, count}, [&] {
            return std::vector<double>(values->rend() - static_cast<std::ptrdiff_t>(count), values->rend());
        });
    }

  private:
    static constexpr std::size_t capacity = 16;

    static RangeKey without_pointers(RangeKey key) {
        key.values = nullptr;
        key.visible = nullptr;
        return key;
    }
    struct Range {
        std::weak_ptr<const std::vector<double>> values;
        std::weak_ptr<const std::vector<int>> visible;
        RangeKey rest;
        ValueRange range;

        bool is_of(const RangeKey& key) const {
            return values.lock() == key.values && visible.lock() == key.visible && rest == without_pointers(key);
        }
    };
    struct Source {
        std::weak_ptr<const std::vector<double>> first, second;
        std::size_t reversed = 0;  // number of reversed values; 0: a combination of both

        bool is_gone() const { return first.expired() || second.expired(); }
        bool is(const Source& other) const {
            return first.lock() == other.first.lock() && second.lock() == other.second.lock() &&
                   reversed == other.reversed;
        }
    };
    template <class Make>
    Numbers made_of(const Source& source, Make&& make) {
        std::erase_if(made_, [](const Made& known) { return known.source.is_gone(); });
        for (const Made& known : made_)
            if (known.source.is(source)) return known.result;
        if (made_.size() == capacity) made_.erase(made_.begin());
        made_.push_back({source, std::make_shared<const std::vector<double>>(make())});
        return made_.back().result;
    }
    struct Made {
        Source source;
        Numbers result;
    };
    struct Summary {
        std::weak_ptr<const std::vector<double>> values, spread;
        double spreads;
        std::size_t size;
        std::shared_ptr<const CurveExtents> extents;
    };
    std::vector<Range> ranges_;
    std::vector<Made> made_;
    std::vector<Summary> curves_;
};

}  // namespace ropewalk
