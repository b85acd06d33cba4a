#include "core/cpu/by_row/row_totals.h"

#include <algorithm>
#include <type_traits>
#include <utility>

namespace ropewalk::cpu {

template <class T>
void RowTotals::prepare(const Problem& problem) {
    LogitOrigin wanted = LogitOrigin::of(problem);
    constexpr bool wants_float = std::is_same_v<T, float>;
    if (wanted == origin && wants_float == in_float) return;
    origin = {};
    max.assign(static_cast<std::size_t>(problem.seq_len), 0);
    sum.assign(static_cast<std::size_t>(problem.seq_len), 0);
    origin = std::move(wanted);
    in_float = wants_float;
}

template <class T>
void RowTotals::recall(std::span<const int> rows, std::span<QueryPanel<T>> panels) const {
    if (std::any_of(rows.begin(), rows.end(), [&](int row) { return sum[row] == 0; })) return;
    const std::size_t width = static_cast<std::size_t>(panel_rows<T>());
    for (std::size_t p = 0; p < panels.size(); ++p) {
        panels[p].has_totals = true;
        for (std::size_t lane = 0; lane < width; ++lane) {
            const int row = rows[std::min(p * width + lane, rows.size() - 1)];
            panels[p].max_logit[lane] = static_cast<T>(max[row]);
            panels[p].sum[lane] = sum[row];
        }
    }
}

template <class T>
void RowTotals::remember(std::span<const int> rows, std::span<const QueryPanel<T>> panels) {
    const std::size_t width = static_cast<std::size_t>(panel_rows<T>());
    for (std::size_t index = 0; index < rows.size(); ++index) {
        const QueryPanel<T>& panel = panels[index / width];
        max[rows[index]] = static_cast<double>(panel.max_logit[index % width]);
        sum[rows[index]] = panel.sum[index % width];
    }
}

template void RowTotals::prepare<float>(const Problem&);
template void RowTotals::prepare<double>(const Problem&);
template void RowTotals::recall(std::span<const int>, std::span<QueryPanel<float>>) const;
template void RowTotals::recall(std::span<const int>, std::span<QueryPanel<double>>) const;
template void RowTotals::remember(std::span<const int>, std::span<const QueryPanel<float>>);
template void RowTotals::remember(std::span<const int>, std::span<const QueryPanel<double>>);

}  // namespace ropewalk::cpu
