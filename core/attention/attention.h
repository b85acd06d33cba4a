// core/attention: what a backend computes (here: a problem, a viewport on its matrix, the values of its cells), the
// interface of backends (backend.h), and the scalar reference that tests compare them with.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "core/constructions/head_inputs.h"
#include "core/encodings/lowered_encoding.h"
#include "core/error.h"
#include "core/fields/shape.h"
#include "core/machine/large_array.h"
#include "core/numbers/interval.h"
#include "core/stage_time.h"

namespace ropewalk {

/// One attention head, ready for computation. With s = score(i, j), the rotated q·k (see `LoweredEncoding`):
///     logit(i, j) = cap(scale · s − bias_slope · (m_i − m_j)) / temperature, −∞ where masked;
///     weights = softmax over j.
/// cap(x) = softcap · tanh(x / softcap), or x if softcap is 0. The temperature comes after it, so that it acts on what
/// the softmax sees.
/// Token i is at position start + stride · i, unless the encoding lists positions.
struct Problem {
    int seq_len = 0;
    HeadInputs inputs;
    LoweredEncoding lowered;
    Positions positions;
    Mask mask = Mask::causal;
    int window = 0;  // the number of keys a query sees, itself included, under Mask::window
    double scale = 1;
    double softcap = 0;  // 0: none
    double temperature = 1;
    /// By what unrotated channels of the queries were multiplied: attention scaling acts on cosine and sine, so not on
    /// channels beyond lowered.rotary_dim, and the inputs undo it there.
    double unrotated_factor = 1;

    int head_dim() const { return lowered.head_dim(); }
    /// Return a token's query or key before the encoding, [head_dim] in pair order.
    std::vector<double> query(int token) const { return row_of(inputs.q, token); }
    std::vector<double> key(int token) const { return row_of(inputs.k, token); }
    std::int64_t position(int token) const {
        return lowered.positions ? lowered.positions[token] : positions.start + std::int64_t{positions.stride} * token;
    }
    /// Returns the positions from one token to the next; 1 if they differ.
    int step() const { return lowered.positions ? 1 : positions.stride; }
    /// Returns the distance in tokens from which keys are far, in a problem with two regimes: tokens · step ≥ window.
    std::int64_t first_far() const {
        const std::int64_t near = lowered.far->window, stride = positions.stride;
        return near / stride + (near % stride > 0 ? 1 : 0);
    }
    /// Returns the keys that row `query` sees, at least one.
    Interval seen_keys(int query) const {
        const int end = mask == Mask::none ? seq_len : query + 1;
        return {mask == Mask::window ? std::max(0, end - window) : 0, end};
    }
    bool sees(int query, int key) const { return seen_keys(query).contains(key); }
    /// Returns the most keys that a row sees.
    int most_seen_keys() const { return mask == Mask::window ? std::min(window, seq_len) : seq_len; }
    /// Return the coefficients of logit = logit_factor() · sum over the pairs − bias_per_token() · (query − key),
    /// before the softcap.
    double logit_factor() const { return lowered.score_scaling() * scale / temperature; }
    double bias_per_token() const { return lowered.bias_slope * positions.stride / temperature; }
    /// Returns the bound that the softcap puts on a logit's magnitude; 0 if there is none.
    double max_logit() const { return softcap / temperature; }
    /// Returns the logit after the softcap from that before it.
    double capped(double logit) const { return softcap == 0 ? logit : max_logit() * std::tanh(logit / max_logit()); }
    /// Returns the logit of a score between two tokens, without the mask.
    double logit(double score, int query, int key) const {
        const auto distance = static_cast<double>(position(query) - position(key));
        return capped((scale * score - lowered.bias_slope * distance) / temperature);
    }
    /// Returns whether the logits depend on query − key alone.
    bool depends_on_distance_only() const { return inputs.is_constant() && lowered.relative(); }
    /// Returns whether one pass over the distances gives the softmax sums of all rows.
    bool has_quick_sums() const { return depends_on_distance_only() && mask != Mask::window; }

  private:
    std::vector<double> row_of(const RowSource& rows, int token) const {
        ensure(token >= 0 && token < seq_len, "a row belongs to a token of the sequence");
        return rows.row(token, head_dim());
    }
};

/// Which rows of a cell of several rows are computed, always with all columns: all; one (the middle); or, if logits
/// depend on the distance alone, all with one softmax sum, that of the middle row. In the last case logits and extreme
/// weights are those of all entries, and the mean weight is that of the middle row. A backend for which this is not
/// faster computes one row, and its view says so.
enum class RowSampling { all, one_per_cell, one_sum_per_cell };

/// Which keys a row's softmax sum includes: all, or, if the backend supports it, some drawn at random in every cell.
/// The sum is then an estimate, and cells show the drawn keys.
enum class KeySampling { all, some };
/// The minimum number of keys to draw from: in a cell of part of the columns, and in the columns outside the viewport.
inline constexpr int fewest_keys_to_draw_from = 16;

/// The wanted grids; the others stay empty and are not computed.
struct CellContent {
    bool logits = true, weights = true;
    bool mean = true, min = true, max = true;  // of cells with several entries; a single entry has only a mean
    bool row_sums = true;                      // statistics of rows; a backend may compute them unasked

    static CellContent of(Pooling pooling) {
        return {.mean = pooling == Pooling::mean,
                .min = pooling == Pooling::min || pooling == Pooling::abs_max,
                .max = pooling == Pooling::max || pooling == Pooling::abs_max};
    }
    CellContent operator|(const CellContent& other) const {
        return {logits || other.logits, weights || other.weights, mean || other.mean,
                min || other.min,       max || other.max,         row_sums || other.row_sums};
    }
    bool operator==(const CellContent&) const = default;
};

/// A part of the matrix: rows × columns, pooled to at most cells_down × cells_across cells. Cell c of n entries in
/// `cells` cells covers [floor(c·n/cells), floor((c+1)·n/cells)), relative to the range's beginning.
struct Viewport {
    Interval rows, columns;
    int cells_down = 0, cells_across = 0;  // 1 … rows.size(), 1 … columns.size()
    RowSampling row_sampling = RowSampling::all;
    CellContent content{};
    KeySampling key_sampling = KeySampling::all;

    /// Returns a viewport with one entry per cell.
    static Viewport one_to_one(Interval rows, Interval columns) {
        return {.rows = rows, .columns = columns, .cells_down = rows.size(), .cells_across = columns.size()};
    }
    bool has_same_cells(const Viewport& other) const {
        return rows == other.rows && columns == other.columns && cells_down == other.cells_down &&
               cells_across == other.cells_across;
    }
    /// Returns the row-major index of the cell with this entry.
    std::size_t cell_of(int query, int key) const {
        return static_cast<std::size_t>(row_cell(query)) * cells_across + column_cell(key);
    }
    bool is_one_to_one() const { return cells_down == rows.size() && cells_across == columns.size(); }
    /// Returns whether every cell shows one entry: of all rows, or of one row per cell.
    bool shows_entries() const {
        return cells_across == columns.size() &&
               (cells_down == rows.size() || row_sampling == RowSampling::one_per_cell);
    }
    Interval cell_rows(int cell) const { return cell_of(rows, cells_down, cell); }
    Interval cell_columns(int cell) const { return cell_of(columns, cells_across, cell); }
    int computed_row_count() const { return row_sampling == RowSampling::all ? rows.size() : cells_down; }
    /// Returns the rows of a cell whose softmax sums are computed: all of cell_rows, or the middle one.
    Interval computed_rows(int cell) const {
        const Interval all = cell_rows(cell);
        if (row_sampling == RowSampling::all) return all;
        const int middle = all.begin + all.size() / 2;
        return {middle, middle + 1};
    }
    /// Returns the rows whose entries a cell shows.
    Interval shown_rows(int cell) const {
        return row_sampling == RowSampling::one_per_cell ? computed_rows(cell) : cell_rows(cell);
    }
    /// Return the cell of a row or column of the viewport.
    int row_cell(int row) const { return cell_with(row - rows.begin, rows.size(), cells_down); }
    int column_cell(int column) const { return cell_with(column - columns.begin, columns.size(), cells_across); }
    bool operator==(const Viewport&) const = default;

  private:
    static int cell_with(std::int64_t entry, int entries, int cells) {
        return static_cast<int>(((entry + 1) * cells - 1) / entries);
    }
    static Interval cell_of(Interval range, int cells, std::int64_t cell) {
        return {range.begin + static_cast<int>(cell * range.size() / cells),
                range.begin + static_cast<int>((cell + 1) * range.size() / cells)};
    }
};

/// Values of cells, [cells_down, cells_across] row-major; empty if not wanted. If every cell is one entry there is only
/// `mean`.
struct PooledGrid {
    int rows = 0, columns = 0;
    Numbers mean, min, max;

    bool has(Pooling pooling) const {
        const bool lacks_min = min.empty() && pooling != Pooling::max;
        const bool lacks_max = max.empty() && pooling != Pooling::min;
        return pooling == Pooling::mean ? !mean.empty() : !lacks_min && !lacks_max;
    }
    /// Returns the pooled values; for cells of one entry, that entry.
    std::vector<double> values(Pooling pooling) const {
        const auto copied = [](const Numbers& pooled) { return std::vector<double>(pooled.begin(), pooled.end()); };
        if (pooling == Pooling::mean || !has(pooling)) return copied(mean);
        return copied(pooling == Pooling::abs_max ? abs_max() : pooling == Pooling::min ? min : max);
    }
    /// Returns min or max of each cell, whichever has the larger magnitude.
    Numbers abs_max() const {
        Numbers values(max);
        for (std::size_t i = 0; i < values.size(); ++i)
            if (std::abs(min[i]) > std::abs(values[i])) values[i] = min[i];
        return values;
    }
};

/// The values of a viewport. Logits are pooled over unmasked entries only (−∞ if all are masked); weights over all
/// entries, with 0 for masked ones. Softmax denominators are exact over all keys of a row, whatever the viewport,
/// unless only some keys were requested.
struct AttentionView {
    Viewport viewport;
    PooledGrid logits, weights;
    std::vector<Interval> visible_cells;  // [cells_down]: cells that are not entirely masked
    LargeVector<int> row_index;           // computed rows: all of viewport.rows, or one per cell
    Numbers row_max_logit;                // of each such row, over all its keys
    Numbers row_log_sum;                  // log Σ_j exp(logit) of each such row, over all its keys
    /// If the sums are estimates: two standard errors of Σ_j exp(logit) relative to it, as the root mean square over
    /// the estimated rows. 0 if all sums are exact.
    double sum_error = 0;
    std::vector<StageTime> stages{};  // that were computed, not reused
};

/// Throws std::logic_error unless the viewport is inside the matrix, has 1 … size cells in each direction, and the
/// parts of `problem.lowered` can be combined.
void ensure_valid(const Problem& problem, const Viewport& viewport);

/// Returns a view of the right size: wanted grids filled with 0, computed rows listed, no statistics.
AttentionView empty_view(const Problem& problem, const Viewport& viewport);
/// Allocates the statistics of the view's rows, all 0.
void make_room_for_statistics(AttentionView& view);

/// Returns whether drawn keys can represent all keys in this viewport: logits are one regime's products and a bias, one
/// row per cell is computed if logits are wanted, and there are enough keys to draw from everywhere.
bool can_draw_keys(const Problem& problem, const Viewport& viewport);

/// Returns the same head without the steps after the dot product: its logits are the scores, over the whole square.
Problem scores_only(Problem problem);

}  // namespace ropewalk
