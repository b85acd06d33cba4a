// The inner loops of whole matrices: logits of a block of rows against all keys that it sees, and what becomes of them.
#pragma once

#include <cstddef>
#include <span>

#include "core/attention/whole_matrix.h"

namespace ropewalk::cpu {

/// The greatest logits of a row by lane, of the panels that every row of its block sees whole.
struct RowMax {
    alignas(64) float lanes[16] = {};
};

/// Rows of a matrix that are made together. Lanes are keys; as many of them side by side as panel_rows<float>().
struct RowBlock {
    int head_dim = 0;
    const float* queries = nullptr;  // turned and scaled, [groups, head_dim, key_group]
    int groups = 0;
    const float* keys = nullptr;  // turned, [panels, head_dim, panel_rows]
    int panels = 0;
    int first_row = 0;        // of the matrix; where there is no mask, any at or below the last key
    float* logits = nullptr;  // [groups · key_group, stride]
    std::ptrdiff_t stride = 0;
    RowMax* max = nullptr;  // [groups · key_group]
};

/// Makes the logits of the block, not all of those above the diagonal, and looks for the greatest while they are in the
/// first-level cache.
void multiply(const RowBlock& block);

/// Where a row of the matrix goes.
struct RowOut {
    float* entries = nullptr;
    int visible = 0;  // leading entries that are not masked, at least 1
    int length = 0;   // of the whole row; what follows the visible entries is masked
};
/// They go past the caches where the matrix is much larger than these.
enum class Stores { cached, streaming };

/// Writes the visible part of the rows of a block, or of their softmax, and masked entries up to the next line of the
/// cache. The logits are overwritten, up to a line and a vector past the visible ones.
void write_rows(const RowBlock& block, std::span<const RowOut> rows, MatrixEntries entries, Stores stores);

}  // namespace ropewalk::cpu
