// Caches softmax denominators of rows, so that a moving viewport can reuse them.
#pragma once

#include <algorithm>
#include <span>
#include <type_traits>
#include <utility>

#include "core/attention/attention.h"
#include "core/cpu/kernels/row_scan.h"
#include "core/cpu/logit_origin.h"

namespace ropewalk::cpu {

/// Max logit and Σ exp(logit − reference(max)) of the rows computed so far, while only the viewport moves.
struct RowTotals {
    LogitOrigin origin;
    bool in_float = false;  // false if the logits exceed the range of float
    Numbers max, sum;       // [seq_len]; a sum of 0 means unknown

    /// Clears the totals unless they are of this problem, computed in T.
    template <class T>
    void prepare(const Problem& problem) {
        LogitOrigin wanted = LogitOrigin::of(problem);
        constexpr bool wants_float = std::is_same_v<T, float>;
        if (wanted == origin && wants_float == in_float) return;
        origin = {};
        max.assign(static_cast<std::size_t>(problem.seq_len), 0);
        sum.assign(static_cast<std::size_t>(problem.seq_len), 0);
        origin = std::move(wanted);
        in_float = wants_float;
    }
    /// Gives panels of these rows their totals, if all are known.
    template <class T>
    void recall(std::span<const int> rows, std::span<QueryPanel<T>> panels) const {
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
    /// Stores the totals of panels of these rows.
    template <class T>
    void remember(std::span<const int> rows, std::span<const QueryPanel<T>> panels) {
        const std::size_t width = static_cast<std::size_t>(panel_rows<T>());
        for (std::size_t index = 0; index < rows.size(); ++index) {
            const QueryPanel<T>& panel = panels[index / width];
            max[rows[index]] = static_cast<double>(panel.max_logit[index % width]);
            sum[rows[index]] = panel.sum[index % width];
        }
    }
};

}  // namespace ropewalk::cpu
