// Queries and keys turned to their positions, a row or a group at a time.
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

/// Whether logits are safe in float that are products of vectors of these lengths times a factor. Entries and sums stay
/// far inside its range, and with |factor| ‖q‖‖k‖ ≤ 512 logits are good to 2e-6 · 513 = 1e-3, so that weights have
/// three digits at the very least.
inline bool fits_float(double query_length, double key_length, double factor = 1) {
    const double max_score = query_length * key_length;
    return query_length <= 1e30 && key_length <= 1e30 && max_score <= 1e30 && std::abs(factor) <= 1e30 &&
           max_score * std::abs(factor) <= 512;
}

/// `first_far` of a problem with two regimes, no farther than its sequence.
int far_tokens(const Problem& problem);

/// Rows of one side of a problem, turned by both regimes' maps or with their waves added.
class RowReader {
  public:
    enum class Side { query, key };
    /// Rows are multiplied by `factor`.
    RowReader(const Problem& problem, Side side, double factor);

    bool has_far() const { return far_.has_value(); }

    /// One row before and after, [head_dim] each, as `rotate_row` lays them out. Each thread has its own.
    struct Scratch {
        explicit Scratch(int head_dim) : row(static_cast<std::size_t>(head_dim)), near(row), far(row) {}
        std::vector<double> row, near, far;
    };
    /// Turns the row that stands in `scratch` as that of this token; `far` is left alone where there is one regime.
    /// Returns its Euclidean length, factor included.
    double turn(int token, Scratch& scratch) const;
    /// Reads it first.
    double read(int token, Scratch& scratch) const {
        source_.read(token, scratch.row);
        return turn(token, scratch);
    }

  private:
    const Problem& problem_;
    const RowSource& source_;
    Rotation near_;
    std::optional<Rotation> far_;
    std::vector<double> unit_;  // (1, 0) in every pair, whose turned rows are the waves; empty if none are added
};

/// Turns rows of one side as one map says, a group at a time.
class GroupTurner {
  public:
    /// Rows are multiplied by `factor`. The problem must outlive this.
    GroupTurner(const Problem& problem, const PositionMap& map, double factor);

    /// What one thread has of the group that it is likely to turn next.
    struct Run {
        explicit Run(int head_dim) : turns(head_dim / 2) {}
        int next_group = -1;
        Turns turns;
    };
    /// Rows of a group as they come, [head_dim, key_group], the first channels of all pairs, then the second ones, to
    /// their positions. Groups in order take less time; the last bits depend on
    /// where their run began. A run belongs to one turner.
    template <class T>
    void turn(int group, const T* rows, TurnedRows<T> out, Run& run) const;

  private:
    const Problem& problem_;
    Rotation rotation_;
    std::optional<EvenRotation> even_;  // of tokens that are evenly spaced
};

}  // namespace ropewalk::cpu
