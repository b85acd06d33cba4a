// Attention through a viewport: a problem, the part of its matrix that is looked at, and what is seen there.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "core/constructions/head_inputs.h"
#include "core/encodings/lowered_encoding.h"
#include "core/fields/shape.h"
#include "core/stage_time.h"

namespace ropewalk {

/// One attention head, ready to be computed. With s = score(i, j), the rotated q·k (see `Lowered`):
///     logit(i, j) = (scale · s − bias_slope · (m_i − m_j)) / temperature, −∞ where masked;  weights = softmax over j.
/// Token i stands at position start + stride · i, unless the encoding has positions of its own.
struct Problem {
    int seq_len = 0;
    HeadInputs inputs;
    LoweredEncoding lowered;
    Positions positions;
    Mask mask = Mask::causal;
    double scale = 1;
    double temperature = 1;

    int head_dim() const { return lowered.head_dim(); }
    std::int64_t position(int token) const {
        return lowered.positions ? lowered.positions[token] : positions.start + std::int64_t{positions.stride} * token;
    }
    /// Positions from one token to the next; 1 where they are not all alike.
    int step() const { return lowered.positions ? 1 : positions.stride; }
    /// Keys at least so many tokens before the query are far, in a problem with two regimes: tokens · step ≥ window.
    std::int64_t first_far() const {
        const std::int64_t window = lowered.far->window, stride = positions.stride;
        return window / stride + (window % stride > 0 ? 1 : 0);
    }
    /// Keys that row `query` sees: [0, visible_keys(query)).
    int visible_keys(int query) const { return mask == Mask::causal ? query + 1 : seq_len; }
    /// The logit is logit_factor() · sum over the pairs − bias_per_token() · (query − key).
    double logit_factor() const { return lowered.score_scaling() * scale / temperature; }
    double bias_per_token() const { return lowered.bias_slope * positions.stride / temperature; }
    /// The logit of a score between two tokens, but for the mask.
    double logit(double score, int query, int key) const {
        const auto distance = static_cast<double>(position(query) - position(key));
        return (scale * score - lowered.bias_slope * distance) / temperature;
    }
    /// Whether the logits depend on query − key alone.
    bool depends_on_distance_only() const { return inputs.is_constant() && lowered.relative(); }
};

/// Half-open range of tokens.
struct Interval {
    int begin = 0, end = 0;

    int size() const { return end - begin; }
    bool contains(int token) const { return token >= begin && token < end; }
    bool operator==(const Interval&) const = default;
};

/// Which rows of a cell are looked at when it covers several: all, or one (its middle), with all columns in either
/// case. Or, where logits depend on the distance alone, all with one softmax sum, the middle row's: logits and the
/// least and greatest weight are those of all entries, the mean weight is that row's. A backend that gains
/// nothing from that looks at one row, and its view says so.
enum class RowSampling { all, one_per_cell, one_sum_per_cell };

/// Which keys a row's sum over all keys is made of: all, or, where the backend knows how, some drawn at random in every
/// cell. Then the sum is an estimate, and cells show the keys that were drawn.
enum class KeySampling { all, some };
/// So many keys must be in what some are drawn from: a cell of a part of the columns, and what is left out beside it.
inline constexpr int fewest_keys_to_draw_from = 16;

/// What is kept of the cells: a grid that is not wanted stays empty, and what it alone would take is not computed.
struct CellContent {
    bool logits = true, weights = true;
    bool mean = true, min = true, max = true;  // of cells of several entries; one entry is its own mean

    static CellContent of(Pooling pooling) {
        return {.mean = pooling == Pooling::mean,
                .min = pooling == Pooling::min || pooling == Pooling::abs_max,
                .max = pooling == Pooling::max || pooling == Pooling::abs_max};
    }
    CellContent operator|(const CellContent& other) const {
        return {logits || other.logits, weights || other.weights, mean || other.mean, min || other.min,
                max || other.max};
    }
    bool covers(const CellContent& other) const { return (*this | other) == *this; }
    bool operator==(const CellContent&) const = default;
};

/// A window on the matrix: rows × columns, pooled to at most cells_down × cells_across cells. Cell c of n entries in
/// `cells` covers [floor(c·n/cells), floor((c+1)·n/cells)), from the range's beginning.
struct Viewport {
    Interval rows, columns;
    int cells_down = 0, cells_across = 0;  // 1 … rows.size(), 1 … columns.size()
    RowSampling row_sampling = RowSampling::all;
    CellContent content{};
    KeySampling key_sampling = KeySampling::all;

    /// The part of the matrix itself, one entry a cell.
    static Viewport one_to_one(Interval rows, Interval columns) {
        return {.rows = rows, .columns = columns, .cells_down = rows.size(), .cells_across = columns.size()};
    }
    bool has_same_cells(const Viewport& other) const {
        return rows == other.rows && columns == other.columns && cells_down == other.cells_down &&
               cells_across == other.cells_across;
    }
    /// Among all cells, row by row, the one of this entry.
    std::size_t cell_of(int query, int key) const {
        return static_cast<std::size_t>(row_cell(query)) * cells_across + column_cell(key);
    }
    bool is_one_to_one() const { return cells_down == rows.size() && cells_across == columns.size(); }
    /// Whether every cell shows one entry: of all rows, or of one row of each cell.
    bool shows_entries() const {
        return cells_across == columns.size() &&
               (cells_down == rows.size() || row_sampling == RowSampling::one_per_cell);
    }
    Interval cell_rows(int cell) const { return cell_of(rows, cells_down, cell); }
    Interval cell_columns(int cell) const { return cell_of(columns, cells_across, cell); }
    int computed_row_count() const { return row_sampling == RowSampling::all ? rows.size() : cells_down; }
    /// The rows of a cell whose softmax sums are computed: all of cell_rows, or its middle one.
    Interval computed_rows(int cell) const {
        const Interval all = cell_rows(cell);
        if (row_sampling == RowSampling::all) return all;
        const int middle = all.begin + all.size() / 2;
        return {middle, middle + 1};
    }
    /// The rows of a cell whose entries it shows.
    Interval shown_rows(int cell) const {
        return row_sampling == RowSampling::one_per_cell ? computed_rows(cell) : cell_rows(cell);
    }
    /// The cell that a row or column of the viewport falls in.
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

/// Values of cells, [cells_down, cells_across] row-major; empty where they were not wanted. Where every cell is one
/// entry there is only `mean`.
struct PooledGrid {
    int rows = 0, columns = 0;
    std::vector<double> mean, min, max;

    bool has(Pooling pooling) const {
        const bool lacks_min = min.empty() && pooling != Pooling::max;
        const bool lacks_max = max.empty() && pooling != Pooling::min;
        return pooling == Pooling::mean ? !mean.empty() : !lacks_min && !lacks_max;
    }
    /// What cells show of their entries; of single ones, those.
    std::vector<double> values(Pooling pooling) const {
        if (pooling == Pooling::mean || !has(pooling)) return mean;
        if (pooling == Pooling::abs_max) return farthest();
        return pooling == Pooling::min ? min : max;
    }
    /// Of the least and the greatest the one farther from 0.
    std::vector<double> farthest() const {
        std::vector<double> values(max);
        for (std::size_t i = 0; i < values.size(); ++i)
            if (std::abs(min[i]) > std::abs(values[i])) values[i] = min[i];
        return values;
    }
};

/// What a viewport shows. Logits are pooled over unmasked entries only (−∞ where all are masked); weights over all
/// entries, masked ones counting 0. Softmax denominators are exact over all keys of a row, whatever the viewport,
/// unless some keys alone were asked for.
struct AttentionView {
    Viewport viewport;
    PooledGrid logits, weights;
    std::vector<int> visible_cells;     // [cells_down]: leading cells that are not masked as a whole
    std::vector<int> row_index;         // the rows that were computed: all of viewport.rows, or one a cell
    std::vector<double> row_max_logit;  // of each such row, over all its keys
    std::vector<double> row_log_sum;    // log Σ_j exp(logit) of each such row, over all its keys
    /// Where the sums are estimates: two standard errors of Σ_j exp(logit) relative to it, as the root mean square over
    /// the rows that are. 0 where all are exact.
    double sum_error = 0;
    std::vector<StageTime> stages{};  // that had to be computed
};

/// Throws std::logic_error unless the viewport lies inside the matrix and has 1 … size cells each way, and the parts of
/// `problem.lowered` go together.
void ensure_valid(const Problem& problem, const Viewport& viewport);

/// A view of the right size with nothing in it: wanted grids all 0, rows to be computed listed, without statistics.
AttentionView empty_view(const Problem& problem, const Viewport& viewport);
/// Statistics of its rows, all 0.
void make_room_for_statistics(AttentionView& view);

/// Whether some keys can stand for all under this viewport: logits are one regime's products and a bias, one row of
/// each cell is looked at if logits are wanted, and there are enough keys to draw from everywhere.
bool can_draw_keys(const Problem& problem, const Viewport& viewport);

/// The same head with nothing after the dot product: its logits are the first one's scores, over the whole square.
Problem scores_only(Problem problem);

}  // namespace ropewalk
