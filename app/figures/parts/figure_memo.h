// A cache of what drawing would otherwise recompute in every frame.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "app/figures/parts/cells/value_range.h"
#include "app/plot/curve.h"
#include "core/machine/large_array.h"
#include "core/numbers/interval.h"
#include "core/numbers/shared_numbers.h"

namespace ropewalk {

/// Key of a cached range. Compares addresses, because results never change.
struct RangeKey {
    SharedNumbers values;
    std::shared_ptr<const std::vector<Interval>> visible;  // values that count in each row; null: all
    int columns = 0, skipped_columns = 0;                  // the first `skipped_columns` of each row do not count
    double outermost = 0;                                  // fraction excluded at either end

    bool operator==(const RangeKey&) const = default;
};

/// A cache of results of one or two arrays and a key. It keeps no array alive; a result lasts as long as its first
/// array.
template <class Key, class Result, std::size_t capacity = 16>
class ArrayCache {
  public:
    /// Returns the cached result, or else what `make` makes.
    template <class Make>
    const Result& find(const SharedNumbers& first, const std::shared_ptr<const void>& second, const Key& key,
                       Make&& make) {
        std::erase_if(known_, [](const Known& known) { return known.first.expired(); });
        for (const Known& known : known_)
            if (known.first == first && known.second.lock() == second && known.key == key) return known.result;
        if (known_.size() == capacity) known_.erase(known_.begin());
        known_.push_back({SharedNumbers::Weak(first), second, key, make()});
        return known_.back().result;
    }

  private:
    struct Known {
        SharedNumbers::Weak first;
        std::weak_ptr<const void> second;
        Key key;
        Result result;
    };
    std::vector<Known> known_;
};

/// The cache of one panel or page.
class FigureMemo {
  public:
    /// At least as many as one figure draws: every drawing reads all of them in turn, so a smaller cache would never
    /// find one.
    static constexpr std::size_t most_long_curves = 80;

    template <class Make>
    ValueRange range(RangeKey key, Make&& make) {
        const auto values = std::exchange(key.values, {});
        const auto visible = std::exchange(key.visible, nullptr);
        return ranges_.find(values, visible, key, std::forward<Make>(make));
    }

    /// Returns the curve with cached extents if it is long, so that it draws quickly. Its numbers belong to `values`
    /// and `spread`.
    Curve quick(Curve curve, const SharedNumbers& values, const SharedNumbers& spread = {}) {
        constexpr std::size_t is_long = 1 << 14;
        if (curve.size() < is_long) return curve;
        curve.extents = curves_.find(values, spread.pointer(), {curve.spreads, curve.size()},
                                     [&] { return std::make_shared<const CurveExtents>(curve); });
        return curve;
    }

    /// Returns values − others; both have the same size.
    SharedNumbers difference(const SharedNumbers& values, const SharedNumbers& others) {
        return combined(values, others, [&] {
            Numbers apart(values->begin(), values->end());
            for (std::size_t i = 0; i < apart.size(); ++i) apart[i] -= (*others)[i];
            return apart;
        });
    }

    /// Returns the cached result of `make`, which combines two arrays.
    template <class Make>
    SharedNumbers combined(const SharedNumbers& first, const SharedNumbers& second, Make&& make) {
        return made_.find(first, second.pointer(), 0, [&] { return SharedNumbers::of(make()); });
    }

    /// Returns the first `count` values in reverse order.
    SharedNumbers reversed(const SharedNumbers& values, std::size_t count) {
        return made_.find(values, nullptr, count, [&] {
            return SharedNumbers::of(Numbers(values->rend() - static_cast<std::ptrdiff_t>(count), values->rend()));
        });
    }

  private:
    ArrayCache<RangeKey, ValueRange> ranges_;
    ArrayCache<std::size_t, SharedNumbers> made_;  // by the number of reversed values; 0: a combination of both
    ArrayCache<std::pair<double, std::size_t>, std::shared_ptr<const CurveExtents>, most_long_curves> curves_;
};

}  // namespace ropewalk
