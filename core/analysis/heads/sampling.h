// Evenly spread rows of attention, each with all its keys.
#pragma once

#include <functional>
#include <span>

#include "core/attention/backend.h"

namespace ropewalk {

/// One row of attention over all keys, [seq_len] each; masked logits are −∞. The spans are valid only during the call;
/// what was not requested is empty.
struct RowView {
    int row = 0;
    std::span<const double> logits, weights;
};

/// Visits at most `most` equally spaced rows of a range, in order: all rows if they are few enough, otherwise the
/// middles of equal parts, counted from the range's end. Computes many rows at a time, so that keys are encoded once
/// for all of them, but keeps no view of more than 2²¹ entries (or one row).
void for_each_row(const Problem& problem, Interval rows, int most, Backend& backend, const Cancel& cancel,
                  const std::function<void(const RowView&)>& visit);
/// Visits the same rows of two heads of equal length, with logits only. The limit holds for both views together.
void for_each_row(const Problem& problem, const Problem& other, Interval rows, int most, Backend& backend,
                  const Cancel& cancel, const std::function<void(const RowView&, const RowView&)>& visit);

}  // namespace ropewalk
