// What is known of rows from an earlier call, so that a viewport that moves finds its denominators ready.
#pragma once

#include <span>
#include <vector>

#include "core/attention/attention.h"
#include "core/cpu/kernels/row_scan.h"
#include "core/cpu/logit_origin.h"

namespace ropewalk::cpu {

/// Greatest logit and Σ exp(logit − reference(greatest)) of the rows that were looked at, while only the viewport
/// moves.
struct RowTotals {
    LogitOrigin origin;
    bool in_float = false;         // false where float cannot hold the logits
    std::vector<double> max, sum;  // [seq_len]; a sum of 0 is not known

    /// Forgets what is kept unless it is of this problem, computed in T.
    template <class T>
    void prepare(const Problem& problem);
    /// Gives panels of these rows their totals, if all are known.
    template <class T>
    void recall(std::span<const int> rows, std::span<QueryPanel<T>> panels) const;
    /// Keeps the totals of panels of these rows.
    template <class T>
    void remember(std::span<const int> rows, std::span<const QueryPanel<T>> panels);
};

}  // namespace ropewalk::cpu
