#pragma once

namespace ropewalk {

/// A half-open range of tokens, or of cells.
struct Interval {
    int begin = 0, end = 0;

    int size() const { return end - begin; }
    bool contains(int place) const { return place >= begin && place < end; }
    bool operator==(const Interval&) const = default;
};

}  // namespace ropewalk
