// Numbers and what keeps them alive.
#pragma once

#include <memory>
#include <span>
#include <utility>

namespace ropewalk {

/// A view of numbers that belong to a shared value, such as an answer. Views are equal if they show the same memory. A
/// view that is held can be a cache key, because shared values never change.
class SharedNumbers {
  public:
    SharedNumbers() = default;
    /// Returns a view of `values`, any contiguous range, which `owner` keeps alive.
    SharedNumbers(std::shared_ptr<const void> owner, std::span<const double> values)
        : owner_(std::move(owner)), values_(values) {}
    /// Returns a view of all numbers of a shared container.
    template <class Container>
    SharedNumbers(const std::shared_ptr<Container>& all) : SharedNumbers(all, all ? *all : std::span<const double>()) {}
    /// Takes over a container of numbers.
    template <class Container>
    static SharedNumbers of(Container values) {
        return std::make_shared<const Container>(std::move(values));
    }

    explicit operator bool() const { return owner_ != nullptr; }
    const std::span<const double>& operator*() const { return values_; }
    const std::span<const double>* operator->() const { return &values_; }
    /// Returns a pointer to the first number that keeps the owner alive.
    std::shared_ptr<const void> pointer() const { return {owner_, values_.data()}; }
    bool operator==(const SharedNumbers& other) const {
        return pointer() == other.pointer() && values_.size() == other.values_.size();
    }

    /// Remembers numbers without keeping them alive.
    class Weak {
      public:
        Weak() = default;
        explicit Weak(const SharedNumbers& numbers) : owner_(numbers.owner_), values_(numbers.values_) {}
        bool expired() const { return owner_.expired(); }
        bool operator==(const SharedNumbers& numbers) const {
            const auto owner = owner_.lock();
            return owner ? SharedNumbers(owner, values_) == numbers : !numbers && values_.empty();
        }

      private:
        std::weak_ptr<const void> owner_;
        std::span<const double> values_;
    };

  private:
    std::shared_ptr<const void> owner_;
    std::span<const double> values_;
};

}  // namespace ropewalk
