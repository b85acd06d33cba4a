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

}  // namespace

std::vector<int> evenly_spread(Interval rows, int most) {
    const Parts parts(rows, most);
    std::vector<int> middles;
    for (int part = 0; part < parts.count; ++part) middles.push_back(parts.begin + part * parts.step + parts.step / 2);
    return middles;
}

void for_each_row(const Problem& problem, Interval rows, int most, Backend& backend, const Cancel& cancel,
                  const std::function<void(const RowView&)>& visit) {
    const Parts parts(rows, most);
    const int at_once = std::max(1, most_entries / problem.seq_len);
    const auto columns = static_cast<std::size_t>(problem.seq_len);
    for (int first = 0; first < parts.count; first += at_once) {
        const Viewport viewport = parts.viewport(first, std::min(at_once, parts.count - first), problem.seq_len);
        const AttentionView view = backend.attend(problem, viewport, cancel);
        for (std::size_t i = 0; i < view.row_index.size(); ++i)
            visit({view.row_index[i], std::span(view.logits.mean).subspan(i * columns, columns),
                   std::span(view.weights.mean).subspan(i * columns, columns)});
    }
}

}  // namespace ropewalk
