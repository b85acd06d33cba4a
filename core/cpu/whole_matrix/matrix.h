// Whole matrices in float: every row against all its keys, including the softmax, a block of rows at a time.
#pragma once

#include <tbb/enumerable_thread_specific.h>

#include "core/attention/attention.h"
#include "core/attention/whole_matrix.h"
#include "core/cancel.h"
#include "core/cpu/by_row/grouped_rows.h"

namespace ropewalk::cpu {

/// State that one call keeps for the next.
struct MatrixState {
    GroupedRows<float> queries, keys;                              // not rotated
    CachedNumbers<float> rotated_keys;                             // [panels, head_dim, panel_rows]
    tbb::enumerable_thread_specific<CachedNumbers<float>> logits;  // of the current blocks
};

/// Fills in the matrix with the same errors as views in float. Returns false, and leaves the matrix undefined, if this
/// method does not apply: rows are not only rotated by one regime, there is a bias, or ‖q‖‖k‖ is so large that float's
/// rounding would be visible. Uses the calling thread's TBB arena.
bool fill_matrix(WholeMatrix& matrix, const Problem& problem, MatrixEntries entries, MatrixState& state,
                 const Cancel& cancel);

}  // namespace ropewalk::cpu
