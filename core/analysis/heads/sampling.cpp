#include "core/analysis/heads/sampling.h"

#include <algorithm>

namespace ropewalk {
namespace {

constexpr int most_entries = 1 << 21;  // of all views in memory at once

/// Returns row i of a view with one row and one key per cell.
RowView row_of(const AttentionView& view, std::size_t i) {
    const auto columns = static_cast<std::size_t>(view.viewport.columns.size());
    const auto row_in = [&](const Numbers& values) {
        return values.empty() ? std::span<const double>() : std::span(values).subspan(i * columns, columns);
    };
    return {view.row_index[i], row_in(view.logits.mean), row_in(view.weights.mean)};
}

/// Calls f(viewport) for equal parts of the rows, as many at once as `at_once`. Each part is a row of cells, whose
/// middle row is sampled.
template <class F>
void for_each_viewport(Interval rows, int most, int columns, int at_once, const CellContent& content, F&& f) {
    if (rows.size() <= 0 || most <= 0) return;
    const int step = (rows.size() + most - 1) / most, count = rows.size() / step, begin = rows.end - count * step;
    for (int first = 0; first < count; first += at_once) {
        const int end = std::min(first + at_once, count);
        f(Viewport{.rows = {begin + first * step, begin + end * step},
                   .columns = {0, columns},
                   .cells_down = end - first,
                   .cells_across = columns,
                   .row_sampling = RowSampling::one_per_cell,
                   .content = content});
    }
}

}  // namespace

void for_each_row(const Problem& problem, Interval rows, int most, Backend& backend, const Cancel& cancel,
                  const std::function<void(const RowView&)>& visit) {
    const int at_once = std::max(1, most_entries / problem.seq_len);
    const CellContent content{.min = false, .max = false};
    for_each_viewport(rows, most, problem.seq_len, at_once, content, [&](const Viewport& viewport) {
        const AttentionView view = backend.attend(problem, viewport, cancel);
        for (std::size_t i = 0; i < view.row_index.size(); ++i) visit(row_of(view, i));
    });
}

void for_each_row(const Problem& problem, const Problem& other, Interval rows, int most, Backend& backend,
                  const Cancel& cancel, const std::function<void(const RowView&, const RowView&)>& visit) {
    const int at_once = std::max(1, most_entries / 2 / problem.seq_len);
    const CellContent content{.weights = false, .min = false, .max = false};
    for_each_viewport(rows, most, problem.seq_len, at_once, content, [&](const Viewport& viewport) {
        const AttentionView view = backend.attend(problem, viewport, cancel),
                            beside = backend.attend(other, viewport, cancel);
        for (std::size_t i = 0; i < view.row_index.size(); ++i) visit(row_of(view, i), row_of(beside, i));
    });
}

}  // namespace ropewalk
