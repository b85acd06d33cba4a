// Rows turned to their positions, by exact phases.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/lowered.h"

namespace ropewalk::cpu {

/// How one regime turns the rows of one side, and what it multiplies them by.
struct Rotation {
    int group = 1;
    double factor = 1;
    std::vector<Phase> per_position, offset;  // [head_dim / 2]

    Rotation(const Lowered& lowered, const PositionMap& map, double row_factor);

    /// floor(position / group)
    std::int64_t grouped(std::int64_t position) const {
        const std::int64_t remainder = position % group;
        return (position - remainder) / group - (remainder < 0 ? 1 : 0);
    }
};

/// `row` ([head_dim], pair order) turned as `rotation_phase` says, into `out` ([head_dim], the first channels of all
/// pairs, then the second ones), in double. The two do not overlap.
void rotate_row(const Rotation& rotation, std::int64_t position, std::span<const double> row, std::span<double> out);

/// Rows that are turned side by side.
constexpr int rotation_lanes = 4;

/// Where rows go that are turned side by side: rotation_lanes columns of an array [head_dim, stride].
template <class T>
struct TurnedRows {
    T* values = nullptr;
    std::ptrdiff_t stride = rotation_lanes;  // a multiple of rotation_lanes
};

/// The same for rotation_lanes rows at once: `rows` are [head_dim, rotation_lanes].
template <class T>
void rotate_rows(const Rotation& rotation, std::span<const std::int64_t, rotation_lanes> positions, const T* rows,
                 TurnedRows<T> out);

/// cos and sin of what rows that stand `step` positions apart are turned by against the first of them: [head_dim / 2,
/// rotation_lanes]. With them evenly spaced rows need the sine and cosine of the first alone.
struct LaneTurns {
    std::vector<double> cosines, sines;

    LaneTurns(const Rotation& rotation, std::int64_t step);
};

/// The same for rows at `first`, `first` + step, …, by angle addition. The rotation's group is 1.
template <class T>
void rotate_evenly(const Rotation& rotation, const LaneTurns& turns, std::int64_t first, const T* rows,
                   TurnedRows<T> out);

}  // namespace ropewalk::cpu
