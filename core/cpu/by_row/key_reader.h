// Reads and rotates keys, a group at a time.
#pragma once

#include <optional>

#include "core/cpu/by_row/grouped_rows.h"
#include "core/cpu/by_row/rotated_rows.h"

namespace ropewalk::cpu {

/// A problem's keys in T. While their source stays the same they are read only once, within the memory limit.
template <class T>
class KeyReader {
  public:
    /// Prepares for reading. The problem must outlive this.
    void prepare(const Problem& problem);

    bool has_far() const { return far_rotator_.has_value(); }

    /// A thread's memory for reading.
    struct Scratch {
        explicit Scratch(int head_dim) : row(head_dim), group(head_dim), near(head_dim), far(head_dim) {}
        RowReader::Scratch row;
        typename GroupedRows<T>::Scratch group;
        GroupRotator::Run near, far;
    };
    /// Reads a group of keys and rotates it by every regime, damped from the token `first_key` on. Keys after the last
    /// repeat it. Returns the Euclidean length of the longest, before damping. Several threads may read different
    /// groups.
    double read(int group, int first_key, Scratch& scratch, RotatedRows<T> near, RotatedRows<T> far);

  private:
    const Problem* problem_ = nullptr;
    std::optional<RowReader> reader_;
    std::optional<GroupRotator> near_rotator_, far_rotator_;
    GroupedRows<T> rows_;
};

}  // namespace ropewalk::cpu
