// Remembers the latest results of a stage by the value of everything they depend on.
#pragma once

#include <deque>
#include <memory>
#include <utility>

namespace ropewalk {

/// Keeps up to `capacity` results, newest first. Not for several threads.
template <class Key, class Value>
class Memo {
  public:
    explicit Memo(std::size_t capacity = 2) : capacity_(capacity) {}

    /// The result for `key`, made by `make()` unless it is remembered. If `make` throws nothing is remembered.
    template <class Make>
    std::shared_ptr<const Value> get(const Key& key, Make&& make) {
        for (auto& [known, value] : entries_)
            if (known == key) return value;
        auto value = std::make_shared<const Value>(make());
        entries_.emplace_front(key, value);
        if (entries_.size() > capacity_) entries_.pop_back();
        return value;
    }

  private:
    std::size_t capacity_;
    std::deque<std::pair<Key, std::shared_ptr<const Value>>> entries_;
};

}  // namespace ropewalk
