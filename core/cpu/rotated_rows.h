// The queries and keys that a scan works on: read, turned and stored as float or double.
#pragma once

#include <hwy/aligned_allocator.h>

#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/attention.h"
#include "core/cancel.h"
#include "core/cpu/grouped_rows.h"
#include "core/cpu/rotation.h"
#include "core/cpu/row_scan.h"
#include "core/cpu/workspace.h"

namespace ropewalk::cpu {

/// A problem in which keys are damped is scanned in stretches. Over one of them, damping is a factor of the key that
/// grows from 1 at its first key, and a factor of the query; neither product may leave the range of double.
constexpr double most_nepers = 460;  // over one stretch: a factor of 1e200

/// Whether logits are safe in float that are products of vectors of these lengths times a factor. Entries and sums stay
/// far inside its range, and with |factor| ‖q‖‖k‖ ≤ 512 logits are good to 2e-6 · 513 = 1e-3, so that weights have
/// three digits at the very least.
inline bool fits_float(double query_length, double key_length, double factor = 1) {
    const double greatest_score = query_length * key_length;
    return query_length <= 1e30 && key_length <= 1e30 && greatest_score <= 1e30 &&
           greatest_score * std::abs(factor) <= 512;
}

/// What scores are multiplied by to be logits but for the bias.
inline double score_factor(const Problem& problem) {
    return problem.lowered.attention_scaling * problem.lowered.attention_scaling * problem.scale / problem.temperature;
}

/// Keys at least so many tokens before the query are far, in a problem with two regimes.
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

    /// Rows of a group as they come, [head_dim, key_group] in pair order, to their positions.
    template <class T>
    void turn(int group, const T* rows, TurnedRows<T> out) const;

  private:
    const Problem& problem_;
    Rotation rotation_;
    std::optional<LaneTurns> turns_;  // of tokens that are evenly spaced
};

/// Keys in T, as many at a time as fit a limit on memory (and on damping, see most_nepers). What one problem has in
/// common with the one before is kept: rows while they come from the same source, turned rows while they are turned
/// alike.
template <class T>
class KeyStore {
  public:
    /// Makes ready for keys [0, keys) of the problem, which must outlive their use.
    void prepare(const Problem& problem, int keys);

    /// Keys that are held at a time; the last stretch may be shorter.
    int stretch() const { return stretch_; }
    /// Makes keys [begin, begin + stretch) ready, unless they are.
    KeyRange<T> load(int begin, const Cancel& cancel);
    /// These groups of keys, turned by the one regime there is, [groups, head_dim, key_group]. Nothing is damped.
    const T* load_some(std::span<const int> groups, const Cancel& cancel);
    /// Euclidean length of the longest key that was loaded since the problem was prepared.
    double greatest_length() const { return greatest_length_; }

  private:
    /// What turned keys follow from.
    struct Origin {
        RowSource source;
        int seq_len = 0;
        Lowered lowered;
        Positions positions;

        bool operator==(const Origin&) const = default;
    };

    /// Where a group goes; `far` is null where there is one regime.
    struct Place {
        int group = 0;
        T *near = nullptr, *far = nullptr;
    };
    /// Turns `count` groups to their places, damped from the token `first_key` on. Returns the length of the longest.
    template <class PlaceOf>
    double turn_groups(int count, int first_key, const Cancel& cancel, PlaceOf place_of);
    void turn_in_double(const Place& place, int first_key, RowReader::Scratch& scratch, double& greatest_length) const;

    const Problem* problem_ = nullptr;
    std::optional<RowReader> reader_;
    std::optional<GroupTurner> near_turner_, far_turner_;
    Origin origin_;
    int keys_ = 0, stretch_ = 0;  // the latter a multiple of key_group
    GroupedRows<T> rows_;
    KeyRange<T> loaded_;
    double loaded_length_ = 0;
    KeptNumbers<T> near_, far_, some_;
    double greatest_length_ = 0;
};

/// Queries of the listed rows in T, in panels ready for their first key.
template <class T>
class QueryPanels {
  public:
    struct Task {
        const Problem& problem;
        Workspace& workspace;
        const Cancel& cancel;
        ListedRows& as_they_come;
    };
    /// Room is made for `numbers` of every row.
    QueryPanels(const Task& task, std::span<const int> rows, int numbers);

    std::span<QueryPanel<T>> panels() { return panels_; }
    std::span<const QueryPanel<T>> panels() const { return panels_; }
    double greatest_length() const { return greatest_length_; }
    /// Damps the queries from the position of `first_key` on, which the keys of its stretch are damped up to.
    void damp(const Problem& problem, int first_key, const Cancel& cancel);

  private:
    int panel_rows_ = panel_rows<T>();
    Workspace::Array<T> near_, damped_, far_, cells_;
    std::vector<QueryPanel<T>> panels_;
    double greatest_length_ = 0;
};

}  // namespace ropewalk::cpu
