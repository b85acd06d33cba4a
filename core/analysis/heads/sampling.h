// Evenly spread rows of attention, each with all its keys.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "core/attention/backend.h"

namespace ropewalk {

/// At most `most` rows of a range, equally far apart: all of them if they are so few, else the middles of equal parts
/// counted from the range's end.
std::vector<int> evenly_spread(Interval rows, int most);

/// One row of attention over all keys, [seq_len] each; masked logits are −∞. The spans hold during the call only; what
/// was not asked for is empty.
struct RowView {
    int row = 0;
    std::span<const double> logits, weights;
};

/// Visits the rows of `evenly_spread` in order. They are computed many at a time, so that keys are made once for all,
/// but no view of more than 2²¹ entries (or one row) is held.
void for_each_row(const Problem& problem, Interval rows, int most, Backend& backend, const Cancel& cancel,
                  const std::function<void(const RowView&)>& visit);
/// The logits alone of the same rows of two heads of one length side by side; both views together hold as much.
void for_each_row(const Problem& problem, const Problem& other, Interval rows, int most, Backend& backend,
                  const Cancel& cancel, const std::function<void(const RowView&, const RowView&)>& visit);

}  // namespace ropewalk
