#include "core/attention/reference.h"

#include <algorithm>
#include <cmath>

#include "core/numbers/numbers.h"

namespace ropewalk {
namespace {

constexpr int block_rows = 64;   // rows that share one rotation of the keys
constexpr int panel_keys = 256;  // keys rotated at a time, so that nothing of size [seq_len, head_dim] is allocated

/// Returns rows of [head_dim] encoded at their positions, by one regime's map.
std::vector<double> rotated_rows(const RowSource& source, const PositionMap& map, const Problem& problem,
                                 Interval tokens) {
    const int head_dim = problem.head_dim();
    std::vector<double> rows(static_cast<std::size_t>(tokens.size()) * head_dim);
    for (int token = tokens.begin; token < tokens.end; ++token) {
        const std::span row(rows.data() + static_cast<std::size_t>(token - tokens.begin) * head_dim,
                            static_cast<std::size_t>(head_dim));
        source.read(token, row);
        encode(row, problem.lowered, map, problem.position(token));
    }
    return rows;
}

/// Rotated rows for both regimes; `far` is empty if there is only one.
struct RotatedRows {
    std::vector<double> near, far;
};

RotatedRows rotated_rows(const RowSource& source, PositionMap Regime::*side, const Problem& problem, Interval tokens) {
    const auto& [near, far] = std::tie(problem.lowered.near, problem.lowered.far);
    return {rotated_rows(source, near.*side, problem, tokens),
            far ? rotated_rows(source, far->maps.*side, problem, tokens) : std::vector<double>{}};
}

/// Calls visit(query, key, logit) for every unmasked entry of rows × columns, panel by panel of keys.
template <class Visit>
void for_each_logit(const Problem& problem, Interval rows, Interval columns, const Cancel& cancel, Visit&& visit) {
    const int head_dim = problem.head_dim();
    const LoweredEncoding& lowered = problem.lowered;
    const double factor = lowered.attention_scaling * lowered.attention_scaling * problem.scale;
    const RotatedRows queries = rotated_rows(problem.inputs.q, &Regime::query, problem, rows);
    for (int first = columns.begin; first < columns.end; first += panel_keys) {
        cancel.check();
        const Interval panel{first, std::min(first + panel_keys, columns.end)};
        if (panel.begin >= problem.seen_keys(rows.end - 1).end) return;
        if (panel.end <= problem.seen_keys(rows.begin).begin) continue;
        const RotatedRows keys = rotated_rows(problem.inputs.k, &Regime::key, problem, panel);
        for (int query = rows.begin; query < rows.end; ++query) {
            const Interval seen = problem.seen_keys(query);
            for (int key = std::max(panel.begin, seen.begin); key < std::min(panel.end, seen.end); ++key) {
                const std::int64_t distance = problem.position(query) - problem.position(key);
                const bool is_far = lowered.far && distance >= lowered.far->window;
                const double* q = (is_far ? queries.far : queries.near).data() +
                                  static_cast<std::size_t>(query - rows.begin) * head_dim;
                const double* k =
                    (is_far ? keys.far : keys.near).data() + static_cast<std::size_t>(key - panel.begin) * head_dim;
                double score = 0;
                for (int pair = 0; pair < head_dim / 2; ++pair)
                    score += lowered.left_over(pair, distance) *
                             (q[2 * pair] * k[2 * pair] + q[2 * pair + 1] * k[2 * pair + 1]);
                double logit = factor * score - lowered.bias_slope * static_cast<double>(distance);
                if (problem.softcap != 0) logit = problem.softcap * std::tanh(logit / problem.softcap);
                visit(query, key, logit / problem.temperature);
            }
        }
    }
}

/// Accumulates log Σ exp over one row, one logit at a time.
struct RowSum {
    double max = -infinity;
    long double sum = 0;  // of exp(logit − max)

    void add(double logit) {
        if (logit > max) {
            sum = sum * std::exp(static_cast<long double>(max - logit)) + 1;
            max = logit;
        } else {
            sum += std::exp(static_cast<long double>(logit - max));
        }
    }
    double log_sum() const { return static_cast<double>(max + std::log(sum)); }
};

/// Mean, min and max of the entries of one cell.
struct CellSum {
    long double sum = 0;
    double min = infinity, max = -infinity;
    std::int64_t count = 0;

    void add(double value) {
        sum += value;
        min = std::min(min, value);
        max = std::max(max, value);
        ++count;
    }
};

class ReferenceBackend : public Backend {
  public:
    std::string_view id() const override { return "reference"; }
    std::string_view description() const override { return "scalar, double precision"; }
    Precision precision() const override { return Precision::fp64; }

    double cost(const Problem& problem, const Viewport& viewport) const override {
        constexpr double slowness = 500;  // of scalar code in double precision without shortcuts
        const int keys = needs_sums(viewport) ? problem.seq_len : viewport.columns.size();
        return slowness * viewport.computed_row_count() * static_cast<double>(keys) * problem.head_dim();
    }

    AttentionView attend(const Problem& problem, const Viewport& asked, const Cancel& cancel) override {
        Viewport viewport = asked;
        // Computing all entries would take as long as all sums.
        if (asked.row_sampling == RowSampling::one_sum_per_cell) viewport.row_sampling = RowSampling::one_per_cell;
        AttentionView view = empty_view(problem, viewport);
        make_room_for_statistics(view);
        for (int cell = 0; cell < viewport.cells_down; ++cell) attend_cell_row(problem, cell, cancel, view);
        return view;
    }

  private:
    static bool needs_sums(const Viewport& viewport) { return viewport.content.weights || viewport.content.row_sums; }

    /// Fills in one row of cells, a block of matrix rows at a time.
    static void attend_cell_row(const Problem& problem, int cell_row, const Cancel& cancel, AttentionView& view) {
        const Viewport& viewport = view.viewport;
        std::vector<CellSum> logits(static_cast<std::size_t>(viewport.cells_across)), weights(logits.size());
        const Interval rows = viewport.computed_rows(cell_row);
        for (int first = rows.begin; first < rows.end; first += block_rows) {
            const Interval block{first, std::min(first + block_rows, rows.end)};
            std::vector<RowSum> sums(static_cast<std::size_t>(block.size()));
            if (needs_sums(viewport))
                for_each_logit(problem, block, {0, problem.seq_len}, cancel,
                               [&](int query, int, double logit) { sums[query - block.begin].add(logit); });
            for (int query = block.begin; query < block.end; ++query) {
                const auto listed = std::lower_bound(view.row_index.begin(), view.row_index.end(), query);
                const auto at = static_cast<std::size_t>(listed - view.row_index.begin());
                view.row_max_logit[at] = sums[query - block.begin].max;
                view.row_log_sum[at] = sums[query - block.begin].log_sum();
            }
            std::vector<int> cell_of(static_cast<std::size_t>(viewport.columns.size()));
            for (int cell = 0; cell < viewport.cells_across; ++cell)
                for (int key = viewport.cell_columns(cell).begin; key < viewport.cell_columns(cell).end; ++key)
                    cell_of[key - viewport.columns.begin] = cell;
            for_each_logit(problem, block, viewport.columns, cancel, [&](int query, int key, double logit) {
                const int cell = cell_of[key - viewport.columns.begin];
                const RowSum& sum = sums[query - block.begin];
                logits[cell].add(logit);
                if (!viewport.content.weights) return;
                weights[cell].add(static_cast<double>(std::exp(static_cast<long double>(logit - sum.max)) / sum.sum));
            });
        }
        for (int cell = 0; cell < viewport.cells_across; ++cell) {
            const std::int64_t entries = std::int64_t{rows.size()} * viewport.cell_columns(cell).size();
            const std::size_t at = static_cast<std::size_t>(cell_row) * viewport.cells_across + cell;
            write(logits[cell], logits[cell].count, -infinity, view.logits, at);
            if (weights[cell].count < entries) weights[cell].min = 0;
            write(weights[cell], entries, 0, view.weights, at);
        }
    }

    static void write(const CellSum& cell, std::int64_t count, double empty, PooledGrid& grid, std::size_t at) {
        if (!grid.mean.empty()) grid.mean[at] = cell.count == 0 ? empty : static_cast<double>(cell.sum / count);
        if (!grid.min.empty()) grid.min[at] = cell.count == 0 ? empty : cell.min;
        if (!grid.max.empty()) grid.max[at] = cell.count == 0 ? empty : cell.max;
    }
};

}  // namespace

std::unique_ptr<Backend> make_reference_backend() {
    return std::make_unique<ReferenceBackend>();
}

}  // namespace ropewalk
