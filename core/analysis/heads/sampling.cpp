#include "core/analysis/heads/sampling.h"

#include <algorithm>

namespace ropewalk {
namespace {

constexpr int most_entries = 1 << 21;  // of all views in memory at once

/// Equal parts of a range, each sampled by one row.
struct Parts {
    int begin = 0, step = 1, count = 0;

    Parts(Interval rows, int most) {
        if (rows.size() <= 0 || most <= 0) return;
        step = (rows.size() + most - 1) / most;
        count = rows.size() / step;
        begin = rows.end - count * step;
    }
    /// Returns some of the parts as one view: cells of equal height, whose middle rows are the sampled ones.
    Viewport viewport(Interval parts, int columns, const CellContent& content) const {
        return {.rows = {begin + parts.begin * step, begin + parts.end * step},
                .columns = {0, columns},
                .cells_down = parts.size(),
                .cells_across = columns,
                .row_sampling = RowSampling::one_per_cell,
                .content = content};
    }
};

/// Returns row i of a view with one row and one key per cell.
RowView row_of(const AttentionView& view, std::size_t i) {
    const auto columns = static_cast<std::size_t>(view.viewport.columns.size());
    const auto row_in = [&](const Numbers& values) {
        return values.empty() ? std::span<const double>() : std::span(values).subspan(i * columns, columns);
    };
    return {view.row_index[i], row_in(view.logits.mean), row_in(view.weights.mean)};
}

/// Calls f(viewport) for all parts, with as many rows at once as the limit allows.
template <class F>
void for_each_viewport(const Parts& parts, int seq_len, int at_once, const CellContent& content, F&& f) {
    for (int first = 0; first < parts.count; first += at_once)
        f(parts.viewport({first, std::min(first + at_once, parts.count)}, seq_len, content));
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
    const int at_once = std::max(1, most_entries / problem.seq_len);
    const CellContent content{.min = false, .max = false};
    for_each_viewport(Parts(rows, most), problem.seq_len, at_once, content, [&](const Viewport& viewport) {
        const AttentionView view = backend.attend(problem, viewport, cancel);
        for (std::size_t i = 0; i < view.row_index.size(); ++i) visit(row_of(view, i));
    });
}

void for_each_row(const Problem& problem, const Problem& other, Interval rows, int most, Backend& backend,
                  const Cancel& cancel, const std::function<void(const RowView&, const RowView&)>& visit) {
    const int at_once = std::max(1, most_entries / 2 / problem.seq_len);
    const CellContent content{.weights = false, .min = false, .max = false};
    for_each_viewport(Parts(rows, most), problem.seq_len, at_once, content, [&](const Viewport& viewport) {
        const AttentionView view = backend.attend(problem, viewport, cancel),
                            beside = backend.attend(other, viewport, cancel);
        for (std::size_t i = 0; i < view.row_index.size(); ++i) visit(row_of(view, i), row_of(beside, i));
    });
}

}  // namespace ropewalk
