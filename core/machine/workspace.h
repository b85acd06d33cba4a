// Arrays that are reused between calls: new memory costs a page fault every 4 KB, which would take as long as the
// computation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/machine/large_array.h"

namespace ropewalk {

/// Lends arrays and reuses them in the next call. Not thread-safe, but several threads may fill the arrays.
class Workspace {
  public:
    /// An array of uninitialised numbers, aligned for vectors. Destroying it returns it; it must not outlive the
    /// workspace.
    template <class T>
    class Array {
      public:
        Array() = default;
        Array(Array&& other) noexcept { *this = std::move(other); }
        Array& operator=(Array&& other) noexcept {
            std::swap(workspace_, other.workspace_);
            std::swap(values_, other.values_);
            std::swap(block_, other.block_);
            return *this;
        }
        ~Array() {
            if (workspace_) workspace_->blocks_[block_].lent = false;
        }

        explicit operator bool() const { return workspace_ != nullptr; }
        std::size_t size() const { return values_.size(); }
        T* data() const { return values_.data(); }
        T& operator[](std::size_t i) const { return values_[i]; }
        operator std::span<const T>() const { return values_; }
        operator std::span<T>() const { return values_; }

      private:
        friend class Workspace;
        Workspace* workspace_ = nullptr;
        std::span<T> values_;
        std::size_t block_ = 0;
    };

    template <class T>
    Array<T> take(std::size_t count) {
        Array<T> array;
        array.block_ = take_bytes(count * sizeof(T));
        array.workspace_ = this;
        array.values_ = {reinterpret_cast<T*>(blocks_[array.block_].bytes.get()), count};
        return array;
    }

    /// Frees the arrays not lent since the last call of this function. No array may be lent now.
    void forget_unused();

  private:
    struct Block {
        LargeArray<std::uint8_t> bytes;
        std::size_t size = 0;
        bool lent = false, used = false;
    };

    std::size_t take_bytes(std::size_t size);

    std::vector<Block> blocks_;
};

}  // namespace ropewalk
