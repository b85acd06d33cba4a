// The inner loops of content-dependent heads: a panel of queries against some keys. Dot products, softmax sums and the
// statistics of every piece of the columns are made in one pass; scores live in a buffer of a few KB, unless they are
// to be kept.
#pragma once

#include <algorithm>
#include <limits>
#include <span>

#include "core/attention/attention.h"

namespace ropewalk::cpu {

constexpr int most_panel_rows = 48;  // queries of a panel, on the widest instruction set
constexpr int key_group = 4;         // keys that are multiplied together
constexpr int drawn_keys = 8;        // of which one run consists, where some keys alone are looked at

/// What the scan keeps of a row's entries in one piece of the columns: log-sum as exp_sum · exp(reference(shift));
/// extremes and sum of the unmasked logits. Rows without an unmasked entry have (0, ·, −∞, +∞, 0). Later the same of a
/// cell, with the sum of weights in `exp_sum`.
enum Statistic { exp_sum, shift, max, min, logit_sum, all_statistics };

/// What all panels of a call have in common. T is float or double.
template <class T>
struct ScanSettings {
    int head_dim = 0;
    Mask mask = Mask::causal;
    int far_tokens = std::numeric_limits<int>::max();  // keys at least so many tokens before the query are far
    T factor = 1;                                      // of scores
    T bias_per_token = 0;                              // added for every token that the key lies after the query
    int statistics = all_statistics;                   // of a piece that are kept: the first so many

    bool keeps(Statistic which) const { return which < statistics; }
    /// Where a statistic of one piece, or cell, stands among those of a panel with so many rows.
    std::ptrdiff_t place(int piece, Statistic which, int rows) const {
        return (std::ptrdiff_t{piece} * statistics + which) * rows;
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
    const int* runs = nullptr;        // first tokens of all runs from drawn key 0 on; null where no keys are left out
    std::span<const int> boundaries;  // [pieces + 1], first columns of all pieces and the end of the last

    /// Of the sequence.
    int token(int key) const { return runs ? runs[key / drawn_keys] + key % drawn_keys : key; }
    /// Up to which key the tokens from `key` on are neighbours.
    int neighbours_end(int key) const { return runs ? (key / drawn_keys + 1) * drawn_keys : end; }
};

/// How long keys took to be turned, their products, what was kept of them and the sums of their exponentials [s], as
/// far as it was measured: to look at the clock takes time, too.
struct ScanTime {
    double rotation = 0, products = 0, cells = 0, softmax = 0;
    int buffers_to_timed = 0;  // of scores before the next that is timed
};

/// panel_rows<T>() queries side by side. Different threads may scan different keys for one.
template <class T>
struct QueryPanel {
    const T *near = nullptr, *far = nullptr;  // [head_dim, panel_rows]
    T* statistics = nullptr;                  // [pieces, statistics, panel_rows]; when finished, of cells
    T* scores = nullptr;                      // [keys, panel_rows], which are kept; null where they are not
    bool has_scores = false;                  // from an earlier call: keys are not looked at
    bool has_totals = false;                  // what a finished panel has: logits alone are wanted
    int min_row = 0, max_row = 0;
    int seen_cells = 0;                        // when finished: leading cells that some row sees the beginning of
    alignas(64) T rows[most_panel_rows] = {};  // token indices
    // When finished: the greatest logits, and what Σ exp(logit − reference(greatest)) is.
    alignas(64) T max_logit[most_panel_rows] = {};
    alignas(64) double sum[most_panel_rows] = {};
};

/// What a scan has seen of the piece that it has come to, by row of the panel; its reference is also that of the pieces
/// before it.
template <class T>
struct OpenPiece {
    int piece = 0;
    alignas(64) T reference[most_panel_rows], max_logit[most_panel_rows], min_logit[most_panel_rows];
    // Sums; the former's are from the reference.
    alignas(64) double exponentials[most_panel_rows], logits[most_panel_rows];

    explicit OpenPiece(int first) : piece(first) {
        std::fill_n(reference, most_panel_rows, -std::numeric_limits<T>::infinity());
        clear();
    }
    void clear() {
        std::fill_n(max_logit, most_panel_rows, -std::numeric_limits<T>::infinity());
        std::fill_n(min_logit, most_panel_rows, std::numeric_limits<T>::infinity());
        std::fill_n(exponentials, most_panel_rows, 0.0);
        std::fill_n(logits, most_panel_rows, 0.0);
    }
};

/// What a panel's sums of exponentials are relative to: its greatest logit, but for a rounding on some instruction
/// sets.
template <class T>
double reference(T max_logit);

/// Queries of a panel on the instruction set in use.
template <class T>
int panel_rows();

/// Gives a panel its rows, at most panel_rows and not empty; the last one also fills the rest.
template <class T>
void set_rows(QueryPanel<T>& panel, std::span<const int> rows);

/// Goes on with the next keys: makes the statistics of pieces that end before them or among them. Logits are also put
/// into `entries`, [keys, panel_rows], unless it is null.
template <class T>
void scan(const ScanSettings<T>& settings, const KeyRange<T>& keys, const QueryPanel<T>& panel, T* entries,
          OpenPiece<T>& open, ScanTime& time);

/// Writes the statistics of a piece and begins the next.
template <class T>
void close_piece(const ScanSettings<T>& settings, const QueryPanel<T>& panel, OpenPiece<T>& open);

/// After the last keys of a piece: makes the statistics of what is left of pieces before `end` that the panel's rows
/// see. Where keys are drawn, none may be of a piece that rows see the beginning of.
template <class T>
void close_pieces(const ScanSettings<T>& settings, std::span<const int> boundaries, const QueryPanel<T>& panel, int end,
                  OpenPiece<T>& open);

/// Which cells pieces are of, in order.
struct CellPieces {
    std::span<const int> boundaries;         // [pieces + 1], first columns of pieces and the end of the last
    std::span<const int> cell;               // [pieces]; −1 where a piece is of none
    std::span<const double> keys_per_drawn;  // [cells], where some keys alone are scanned; empty: all are
};

/// After all keys that the panel's rows see: statistics become those of cells, `exp_sum` a sum of weights.
template <class T>
void finish(const ScanSettings<T>& settings, const CellPieces& pieces, QueryPanel<T>& panel);

}  // namespace ropewalk::cpu
