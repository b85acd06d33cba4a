// Rotates rows to their positions, by exact phases.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/encodings/lowered_encoding.h"
#include "core/machine/large_array.h"

namespace ropewalk::cpu {

/// The rotation of one side's rows by one regime, with a factor.
struct Rotation {
    PositionMap map;
    double factor = 1;
    std::vector<Phase> per_position, offset;  // [head_dim / 2]

    Rotation(const LoweredEncoding& lowered, const PositionMap& used, double row_factor);
};

/// Rotates `row` ([head_dim], pair order) by `rotation_phase` into `out` ([head_dim], the first channels of all pairs,
/// then the second ones), in double. The two must not overlap.
void rotate_row(const Rotation& rotation, std::int64_t position, std::span<const double> row, std::span<double> out);

/// Number of rows rotated in parallel.
constexpr int rotation_lanes = 4;

/// The destination of rows rotated in parallel: rotation_lanes columns of an array [head_dim, stride].
template <class T>
struct RotatedRows {
    T* values = nullptr;
    std::ptrdiff_t stride = rotation_lanes;  // a multiple of rotation_lanes
};

/// Rotates rotation_lanes rows at once: `rows` are [head_dim, rotation_lanes], the first channels of all pairs, then
/// the second ones.
template <class T>
void rotate_rows(const Rotation& rotation, std::span<const std::int64_t, rotation_lanes> positions, const T* rows,
                 RotatedRows<T> out);

/// Cosines and sines by pair and row, [head_dim / 2, rotation_lanes] each.
struct Turns {
    LargeArray<double> cosines, sines;

    explicit Turns(int pairs)
        : cosines(large_array<double>(static_cast<std::size_t>(pairs) * rotation_lanes)),
          sines(large_array<double>(static_cast<std::size_t>(pairs) * rotation_lanes)) {}
};

/// Rotates rows that are `step` positions apart, rotation_lanes at a time. Rows after the first ones need no sine or
/// cosine, only angle addition. The rotation's group must be 1.
class EvenRotation {
  public:
    EvenRotation(const Rotation& rotation, std::int64_t step);

    /// Sets `turns` to the cosines and sines of the rows at `first`, `first` + step, …, times the rotation's factor.
    void begin(const Rotation& rotation, std::int64_t first, Turns& turns) const;
    /// Rotates rows as `rotate_rows` does, and advances `turns` to the next rows; after n calls they are accurate to n
    /// · 5e-16.
    template <class T>
    void rotate(Turns& turns, const T* rows, RotatedRows<T> out) const;

  private:
    int pairs_;
    Turns of_lanes_;  // relative to the first lane
    Turns of_all_;    // relative to the previous rows
};

}  // namespace ropewalk::cpu
