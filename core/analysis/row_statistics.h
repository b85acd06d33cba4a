// How concentrated rows of attention are.
#pragma once

#include <span>
#include <vector>

#include "core/backend.h"

namespace ropewalk {

struct RowStatistics {
    int row = 0;
    double entropy = 0;          // −Σ w ln w over the row's keys, nats: 0 for one key, ln n for n equal ones
    double greatest_weight = 0;  //
    double margin = 0;           // greatest weight − second greatest, 0 being that of a key that is not there
};

/// Of the rows given, over all their keys. Computed a block of neighbouring rows at a time: nothing of size N² is held.
std::vector<RowStatistics> row_statistics(const Problem& problem, std::span<const int> rows, Backend& backend,
                                          const Cancel& cancel);

}  // namespace ropewalk
