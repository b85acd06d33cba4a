// Rotates queries and keys to their positions, a row or a group at a time.
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/attention/attention.h"
#include "core/cpu/kernels/rotation.h"
#include "core/cpu/kernels/row_scan.h"

namespace ropewalk::cpu {

/// Returns whether logits, as products of vectors of these lengths times a factor, are safe in float. Entries and sums
/// stay far inside its range, and with |factor| ‖q‖‖k‖ ≤ 512 logits have errors below 2e-6 · 513 = 1e-3, so weights
/// have at least three correct digits.
inline bool fits_float(double query_length, double key_length, double factor = 1) {
    const double max_score = query_length * key_length;
    return query_length <= 1e30 && key_length <= 1e30 && max_score <= 1e30 && std::abs(factor) <= 1e30 &&
           max_score * std::abs(factor) <= 512;
}

/// Returns `first_far` of a problem with two regimes, clamped to its sequence.
int far_tokens(const Problem& problem);

/// Reads rows of one side of a problem, rotated by both regimes' maps or with their waves added.
class RowReader {
  public:
    enum class Side { query, key };
    /// Rows are multiplied by `factor`.
    RowReader(const Problem& problem, Side side, double factor);

    bool has_far() const { return far_.has_value(); }

    /// One row before and after rotation, [head_dim] each, in the layout of `rotate_row`. One per thread.
    struct Scratch {
        explicit Scratch(int head_dim) : row(static_cast<std::size_t>(head_dim)), near(row), far(row) {}
        std::vector<double> row, near, far;
    };
    /// Rotates the row in `scratch` to the position of `token`; does not touch `far` if there is one regime. Returns
    /// its Euclidean length, including the factor.
    double rotate(int token, Scratch& scratch) const;
    /// Reads the row of `token`, then does the same.
    double read(int token, Scratch& scratch) const {
        source_.read(token, scratch.row);
        return rotate(token, scratch);
    }

  private:
    const Problem& problem_;
    const RowSource& source_;
    Rotation near_;
    std::optional<Rotation> far_;
    std::vector<double> unit_;  // (1, 0) in every pair, whose rotated rows are the waves; empty if none are added
};

/// Rotates rows of one side by one map, a group at a time.
class GroupRotator {
  public:
    /// Rows are multiplied by `factor`. The problem must outlive this.
    GroupRotator(const Problem& problem, const PositionMap& map, double factor);

    /// A thread's state for the group that it is likely to rotate next.
    struct Run {
        explicit Run(int head_dim) : turns(head_dim / 2) {}
        int next_group = -1;
        Turns turns;
    };
    /// Rotates rows of a group, [head_dim, key_group], the first channels of all pairs, then the second ones, to their
    /// positions. Faster for groups in order; the last bits depend on where their run began. A run belongs to one
    /// GroupRotator.
    template <class T>
    void rotate(int group, const T* rows, RotatedRows<T> out, Run& run) const;

  private:
    const Problem& problem_;
    Rotation rotation_;
    std::optional<EvenRotation> even_;  // for evenly spaced tokens
};

}  // namespace ropewalk::cpu
