// A cache of the latest results of a stage, by the value of everything they depend on.
#pragma once

#include <algorithm>
#include <deque>
#include <memory>
#include <type_traits>
#include <utility>

namespace ropewalk {

/// Stores up to `capacity` results, most recently used first. Not thread-safe. For values of several types (Value =
/// void), `make()` returns the shared pointer itself.
template <class Key, class Value>
class Memo {
  public:
    explicit Memo(std::size_t capacity = 2) : capacity_(capacity) {}

    /// Returns the stored result for `key`, or stores and returns `make()`. Stores nothing if `make` throws.
    template <class Make>
    std::shared_ptr<const Value> get(const Key& key, Make&& make) {
        for (auto entry = entries_.begin(); entry != entries_.end(); ++entry) {
            if (!(entry->first == key)) continue;
            std::rotate(entries_.begin(), entry, entry + 1);
            return entries_.front().second;
        }
        std::shared_ptr<const Value> value;
        if constexpr (std::is_void_v<Value>)
            value = make();
        else
            value = std::make_shared<const Value>(make());
        entries_.emplace_front(key, value);
        if (entries_.size() > capacity_) entries_.pop_back();
        return value;
    }

    bool remembers(const Key& key) const {
        return std::any_of(entries_.begin(), entries_.end(), [&](const auto& entry) { return entry.first == key; });
    }
    /// Raises the capacity to at least this.
    void raise_capacity(std::size_t capacity) { capacity_ = std::max(capacity_, capacity); }
    /// Sets the capacity, at least 1, and drops the least recently used results beyond it.
    void set_capacity(std::size_t capacity) {
        capacity_ = std::max<std::size_t>(1, capacity);
        while (entries_.size() > capacity_) entries_.pop_back();
    }

  private:
    std::size_t capacity_;
    std::deque<std::pair<Key, std::shared_ptr<const Value>>> entries_;
};

}  // namespace ropewalk
