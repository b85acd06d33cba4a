// The inner loops of content-dependent heads: a panel of queries against some keys. Dot products, softmax sums and the
// statistics of every piece of the columns are computed in one pass; scores are in a buffer of a few KB, unless they
// are to be cached.
#pragma once

#include <algorithm>
#include <limits>
#include <span>

#include "core/attention/attention.h"

namespace ropewalk::cpu {

constexpr int most_panel_rows = 48;  // queries of a panel, on the widest instruction set
constexpr int key_group = 4;         // keys multiplied together
constexpr int drawn_keys = 8;        // keys of one run, if keys are sampled
constexpr int run_keys = 16;         // logits summed in T before the sum is added in double

/// The statistics of a row's entries in one piece of the columns: the log-sum as exp_sum · exp(reference(shift)),
/// extremes and sum of the unmasked logits. Rows without an unmasked entry have (0, ·, −∞, +∞, 0). When finished, the
/// statistics are those of a cell, with the sum of weights in `exp_sum`.
enum Statistic { exp_sum, shift, max, min, logit_sum, all_statistics };

/// The settings of all panels of a call. T is float or double.
template <class T>
struct ScanSettings {
    int head_dim = 0;
    Mask mask = Mask::causal;
    int window = 0;                                    // keys that a row sees, under Mask::window
    int far_tokens = std::numeric_limits<int>::max();  // keys at least this many tokens before the query are far
    T factor = 1;                                      // of scores
    T bias_per_token = 0;                              // added per token from query to key
    T max_logit = 0;                                   // bound on their magnitude, by tanh; 0 if there is none
    int statistics = all_statistics;                   // number of leading statistics computed per piece

    bool keeps(Statistic which) const { return which < statistics; }
    /// Returns the index of a statistic of one piece, or cell, in the statistics of a panel with `rows` rows.
    std::ptrdiff_t place(int piece, Statistic which, int rows) const {
        return (std::ptrdiff_t{piece} * statistics + which) * rows;
    }
    /// Returns whether some of the keys first … last are masked in some of the rows min_row … max_row.
    bool masks_some(int first, int last, int min_row, int max_row) const {
        return (mask != Mask::none && last > min_row) || (mask == Mask::window && first <= max_row - window);
    }
    bool has_far() const { return far_tokens != std::numeric_limits<int>::max(); }
};

/// Rotated keys [begin, end) in groups, [groups, head_dim, key_group]. `begin` is a multiple of key_group; the last
/// group is padded with finite values, which are ignored. `far` is null if there is one regime; both are null if scores
/// are cached.
///
/// With sampled keys, begin and end count these. drawn_keys of them are a run of neighbours, and `begin` is a multiple
/// of drawn_keys.
template <class T>
struct KeyRange {
    int begin = 0, end = 0;
    const T *near = nullptr, *far = nullptr;
    const int* runs = nullptr;        // first tokens of all runs from sampled key 0 on; null if all keys are used
    std::span<const int> boundaries;  // [pieces + 1], first columns of all pieces and the end of the last

    /// Returns the token of a key.
    int token(int key) const { return runs ? runs[key / drawn_keys] + key % drawn_keys : key; }
    /// Returns the end of the keys from `key` on whose tokens are neighbours.
    int neighbours_end(int key) const { return runs ? (key / drawn_keys + 1) * drawn_keys : end; }
};

/// The times of rotation, products, cells and softmax [s], as far as measured, because reading the clock takes time,
/// too.
struct ScanTime {
    double rotation = 0, products = 0, cells = 0, softmax = 0;
    int buffers_to_timed = 0;  // until the next timed one
};

/// panel_rows<T>() queries. Different threads may scan different keys for one panel.
template <class T>
struct QueryPanel {
    const T *near = nullptr, *far = nullptr;  // [head_dim, panel_rows]
    T* statistics = nullptr;                  // [pieces, statistics, panel_rows]; when finished, of cells
    T* scores = nullptr;                      // [keys, panel_rows], cached; null if not cached
    bool has_scores = false;                  // from an earlier call: keys are not needed
    bool has_totals = false;                  // max_logit and sum are known: only logits are wanted
    int min_row = 0, max_row = 0;
    int seen_cells = 0;                        // when finished: leading cells whose beginning some row sees
    alignas(64) T rows[most_panel_rows] = {};  // token indices
    // When finished: max logits and Σ exp(logit − reference(max_logit)).
    alignas(64) T max_logit[most_panel_rows] = {};
    alignas(64) double sum[most_panel_rows] = {};
};

/// The state of a scan within its current piece, by row of the panel. Its reference is also that of the previous
/// pieces.
template <class T>
struct OpenPiece {
    int piece = 0;
    alignas(64) T reference[most_panel_rows], max_logit[most_panel_rows], min_logit[most_panel_rows];
    // Sums; exponentials are relative to the reference.
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

/// Returns the reference of a panel's sums of exponentials: its max logit, except for rounding on some instruction
/// sets.
template <class T>
double reference(T max_logit);

/// Returns the number of queries of a panel on the current instruction set.
template <class T>
int panel_rows();

/// Sets a panel's rows, between 1 and panel_rows of them; the last one is repeated to fill the panel.
template <class T>
void set_rows(QueryPanel<T>& panel, std::span<const int> rows) {
    panel.min_row = *std::min_element(rows.begin(), rows.end());
    panel.max_row = *std::max_element(rows.begin(), rows.end());
    for (int lane = 0; lane < most_panel_rows; ++lane)
        panel.rows[lane] = static_cast<T>(rows[std::min<std::size_t>(lane, rows.size() - 1)]);
}

/// Scans the next keys: computes the statistics of pieces that end before or among them. Also writes logits to
/// `entries`, [keys, panel_rows], unless it is null.
template <class T>
void scan(const ScanSettings<T>& settings, const KeyRange<T>& keys, const QueryPanel<T>& panel, T* entries,
          OpenPiece<T>& open, ScanTime& time);

/// Writes the statistics of a piece and begins the next.
template <class T>
void close_piece(const ScanSettings<T>& settings, const QueryPanel<T>& panel, OpenPiece<T>& open) {
    const int width = panel_rows<T>();
    const auto keep = [&](Statistic which, const auto& values) {
        if (settings.keeps(which))
            std::copy_n(values, width, panel.statistics + settings.place(open.piece, which, width));
    };
    keep(exp_sum, open.exponentials);
    keep(shift, open.reference);
    keep(max, open.max_logit);
    keep(min, open.min_logit);
    keep(logit_sum, open.logits);
    open.clear();
    ++open.piece;
}

/// Computes the statistics of the remaining pieces before `end` that the panel's rows see, after the last keys of a
/// piece. With sampled keys, there may be none in a piece whose beginning rows see.
template <class T>
void close_pieces(const ScanSettings<T>& settings, std::span<const int> boundaries, const QueryPanel<T>& panel, int end,
                  OpenPiece<T>& open) {
    while (open.piece < end && (settings.mask == Mask::none || boundaries[open.piece] <= panel.max_row))
        close_piece(settings, panel, open);
}

/// The cells of pieces, in order.
struct CellPieces {
    std::span<const int> boundaries;         // [pieces + 1], first columns of pieces and the end of the last
    std::span<const int> cell;               // [pieces]; −1 for a piece without a cell
    std::span<const double> keys_per_drawn;  // [cells], if keys are sampled; empty if all are used
};

/// Converts the statistics to those of cells, with sums of weights in `exp_sum`, after all keys that the panel's rows
/// see.
template <class T>
void finish(const ScanSettings<T>& settings, const CellPieces& pieces, QueryPanel<T>& panel);

}  // namespace ropewalk::cpu
