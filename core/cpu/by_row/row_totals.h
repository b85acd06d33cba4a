// Caches softmax denominators of rows, so that a moving viewport can reuse them.
#pragma once

#include <span>
#include <vector>

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
    void prepare(const Problem& problem);
    /// Gives panels of these rows their totals, if all are known.
    template <class T>
    void recall(std::span<const int> rows, std::span<QueryPanel<T>> panels) const;
    /// Stores the totals of panels of these rows.
    template <class T>
    void remember(std::span<const int> rows, std::span<const QueryPanel<T>> panels);
};

}  // namespace ropewalk::cpu
