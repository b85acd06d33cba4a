// The inner loops of content-dependent heads: a panel of queries against a stretch of keys. Dot products, softmax sums
// and the statistics of every cell are made in one pass; scores live in a buffer of a few KB, unless they are
// to be kept.
#pragma once

#include <limits>
#include <span>

#include "core/attention.h"

namespace ropewalk::cpu {

constexpr int most_panel_rows = 48;  // queries of a panel, on the widest instruction set
constexpr int key_group = 4;         // keys that are multiplied together
constexpr int drawn_keys = 8;        // of which one run consists, where some keys alone are looked at

/// What the scan can keep of a row's entries in one cell: log-sum as exp_sum · exp(reference(shift)), later the sum of
/// weights in `exp_sum`; extremes and sum of the unmasked logits. Rows without an unmasked entry have (0, ·, −∞, +∞,
/// 0).
enum Statistic { exp_sum, shift, greatest, least, logit_sum, all_statistics };

/// What all panels of a call have in common. T is float or double.
template <class T>
struct ScanSettings {
    int head_dim = 0;
    Mask mask = Mask::causal;
    int far_tokens = std::numeric_limits<int>::max();  // keys at least so many tokens before the query are far
    T factor = 1;                                      // of scores
    T bias_per_token = 0;                              // added for every token that the key lies after the query
    bool keeps_entries = false;                        // every column is its own cell: logits are kept, no statistics
    int statistics = all_statistics;                   // of a cell that are kept: the first so many
    std::span<const int> boundaries;         // [cells + 1], first columns of the cells and the end of the last
    std::span<const double> keys_per_drawn;  // [cells], where some keys alone are scanned; empty: all are

    int cells() const { return static_cast<int>(boundaries.size()) - 1; }
    bool keeps(Statistic which) const { return which < statistics; }
    /// Where a statistic of one cell stands among those of a panel with so many rows.
    std::ptrdiff_t place(int cell, Statistic which, int rows) const {
        return (std::ptrdiff_t{cell} * statistics + which) * rows;
    }
    bool has_far() const { return far_tokens != std::numeric_limits<int>::max(); }
};

/// Rotated keys [begin, end) in groups side by side, [groups, head_dim, key_group]. `begin` is a multiple of key_group;
/// the last group is filled up with finite values, which are ignored. `far` is null where there is one regime, both are
/// where scores are known.
///
/// Where keys are drawn, begin and end count those; drawn_keys of them are a run of neighbours, and `begin` is a
/// multiple of drawn_keys.
template <class T>
struct KeyRange {
    int begin = 0, end = 0;
    const T *near = nullptr, *far = nullptr;
    const int* runs = nullptr;  // first tokens of all runs from drawn key 0 on; null where no keys are left out

    /// Of the sequence.
    int token(int key) const { return runs ? runs[key / drawn_keys] + key % drawn_keys : key; }
    /// Up to which key the tokens from `key` on are neighbours.
    int neighbours_end(int key) const { return runs ? (key / drawn_keys + 1) * drawn_keys : end; }
};

/// How long the products of some keys, what was kept of them and the sums of their exponentials took [s].
struct ScanTime {
    double products = 0, cells = 0, softmax = 0;
};

/// panel_rows<T>() queries side by side, and how far their scan has come. Keys must be scanned in order, from 0 on or,
/// with known totals, from at most the first boundary on, without gaps unless some are drawn from every cell.
template <class T>
struct QueryPanel {
    const T *near = nullptr, *far = nullptr;  // [head_dim, panel_rows]
    T* cells = nullptr;   // [cells, statistics, panel_rows]; or, where entries are kept, logits of the last keys that
                          // were scanned, as far as they lie in the viewport: [keys, panel_rows]
    T* scores = nullptr;  // [keys, panel_rows], which are kept; null where they are not
    bool has_scores = false;  // from an earlier call: keys are not looked at
    int least_row = 0, greatest_row = 0;
    int cell = -1;            // that the next key falls in; −1 before the first, cells() after the last
    ScanTime time;            // of one block of scores in many: to look at the clock takes time, too
    int blocks_to_timed = 0;  // before the next one that is timed
    bool has_totals = false;  // of all keys, known beforehand: then only the viewport's keys are scanned
    alignas(64) T total_greatest[most_panel_rows] = {};
    alignas(64) double total_sum[most_panel_rows] = {};
    alignas(64) T rows[most_panel_rows] = {};            // token indices
    alignas(64) T greatest_logit[most_panel_rows] = {};  // so far
    alignas(64) T cell_greatest[most_panel_rows] = {}, cell_least[most_panel_rows] = {};
    // Relative to `reference`: of all keys before the current cell; of the current cell. Then the sum of its logits.
    alignas(64) double sum[most_panel_rows] = {}, cell_sum[most_panel_rows] = {}, cell_logits[most_panel_rows] = {};
};

/// What a panel's sums of exponentials are relative to: its greatest logit, but for a rounding on some instruction
/// sets.
template <class T>
double reference(T greatest_logit);

/// Queries of a panel on the instruction set in use.
template <class T>
int panel_rows();

/// Makes a panel ready for its first key. `rows`, at most panel_rows and not empty; the last one also fills the rest.
template <class T>
void start(QueryPanel<T>& panel, std::span<const int> rows);

/// Takes the next keys.
template <class T>
void scan(const ScanSettings<T>& settings, const KeyRange<T>& keys, QueryPanel<T>& panel);

/// After the last key: cells' `exp_sum` become sums of weights, and `sum` is of all keys.
template <class T>
void finish(const ScanSettings<T>& settings, QueryPanel<T>& panel);

}  // namespace ropewalk::cpu
