#include "core/analysis/sampling.h"

#include <algorithm>

namespace ropewalk {
namespace {

constexpr int most_entries = 1 << 21;  // of a view

/// Equal parts of a range, one row of each looked at.
struct Parts {
    int begin = 0, step = 1, count = 0;

    Parts(Interval rows, int most) {
        if (rows.size() <= 0 || most <= 0) return;
        step = (rows.size() + most - 1) / most;
        count = rows.size() / step;
        begin = rows.end - count * step;
    }
    /// So many parts from one on, seen as one view: cells of equal height, whose middles are the rows wanted.
    Viewport viewport(int first, int parts, int columns) const {
        return {.rows = {begin + first * step, begin + (first + parts) * step},
                .columns = {0, columns},
                .cells_down = parts,
                .cells_across = columns,
                .row_sampling = RowSampling::one_per_cell,
                .content = {.least = false, .greatest = false}};
    }
};

/// Of a view of one row a cell and one key a cell.
RowView row_of(const AttentionView& view, std::size_t i) {
    const auto columns = static_cast<std::size_t>(view.viewport.columns.size());
    return {view.row_index[i], std::span(view.logits.mean).subspan(i * columns, columns),
            std::span(view.weights.mean).subspan(i * columns, columns)};
}

/// f(viewport) for all parts, as many at once as may be held.
template <class F>
void for_each_viewport(const Parts& parts, int seq_len, F&& f) {
    const int at_once = std::max(1, most_entries / seq_len);
    for (int first = 0; first < parts.count; first += at_once)
        f(parts.viewport(first, std::min(at_once, parts.count - first), seq_len));
}

}  // namespace

std::vector<int> evenly_spread(Interval rows, int most) {
    const Parts parts(rows, most);
    std::vector<int> middles;
    for (int part = 0; part < parts.count; ++part) middles.push_back(parts.begin + part * parts.step + parts.step / 2);
    return middles;
}

void for_each_row(const Problem& problem, Interval rows, int most, Backend& backend, const Cancel& cancel,
                  const std::function<void(const RowView&)>& visit) {
    for_each_viewport(Parts(rows, most), problem.seq_len, [&](const Viewport& viewport) {
        const AttentionView view = backend.attend(problem, viewport, cancel);
        for (std::size_t i = 0; i < view.row_index.size(); ++i) visit(row_of(view, i));
    });
}

void for_each_row(const Problem& problem, const Problem& other, Interval rows, int most, Backend& backend,
                  const Cancel& cancel, const std::function<void(const RowView&, const RowView&)>& visit) {
    for_each_viewport(Parts(rows, most), problem.seq_len, [&](const Viewport& viewport) {
        const AttentionView view = backend.attend(problem, viewport, cancel),
                            beside = backend.attend(other, viewport, cancel);
        for (std::size_t i = 0; i < view.row_index.size(); ++i) visit(row_of(view, i), row_of(beside, i));
    });
}

}  // namespace ropewalk
