// Whole matrices in float: every row against all its keys, softmax included, a block of rows at a time.
#pragma once

#include <tbb/enumerable_thread_specific.h>

#include "core/attention/attention.h"
#include "core/attention/whole_matrix.h"
#include "core/cancel.h"
#include "core/cpu/by_row/grouped_rows.h"

namespace ropewalk::cpu {

/// What one call leaves for the next.
struct MatrixState {
    GroupedRows<float> queries, keys;                              // as they come
    CachedNumbers<float> turned_keys;                              // [panels, head_dim, panel_rows]
    tbb::enumerable_thread_specific<CachedNumbers<float>> logits;  // of the blocks that are in the making
};

/// Fills the matrix, within the error that views in float have. False, with the matrix left undefined, where this is
/// not the way: rows are not only turned by one regime, there is a bias, or ‖q‖‖k‖ is so large that float's rounding
/// would show. Uses the calling thread's TBB arena.
bool fill_matrix(WholeMatrix& matrix, const Problem& problem, MatrixEntries entries, MatrixState& state,
                 const Cancel& cancel);

}  // namespace ropewalk::cpu
