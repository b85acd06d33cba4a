// The inner loops of whole matrices: logits of a block of rows against all keys that it sees, softmax and stores.
#pragma once

#include <cstddef>
#include <span>

#include "core/attention/whole_matrix.h"

namespace ropewalk::cpu {

/// The max logits of a row by lane, over the panels that every row of its block sees completely.
struct RowMax {
    alignas(64) float lanes[16] = {};
};

/// Rows of a matrix that are computed together. Lanes are keys, panel_rows<float>() of them.
struct RowBlock {
    int head_dim = 0;
    const float* queries = nullptr;  // rotated and scaled, [groups, head_dim, key_group]
    int groups = 0;
    const float* keys = nullptr;  // rotated, [panels, head_dim, panel_rows]
    int panels = 0;
    int first_row = 0;        // of the matrix; without a mask, any at or below the last key
    float* logits = nullptr;  // [groups · key_group, stride]
    std::ptrdiff_t stride = 0;
    RowMax* max = nullptr;  // [groups · key_group]
};

/// Computes the logits of the block, without some above the diagonal, and their max while they are in the first-level
/// cache.
void multiply(const RowBlock& block);

/// The destination of a row of the matrix.
struct RowOut {
    float* entries = nullptr;
    int visible = 0;  // leading entries that are not masked, at least 1
    int length = 0;   // of the whole row; entries after the visible ones are masked
};
/// Streaming stores bypass the caches, for matrices much larger than these.
enum class Stores { cached, streaming };

/// Writes the visible part of the rows of a block, or of their softmax, and masked entries up to the next cache line.
/// Overwrites the logits, up to a line and a vector after the visible ones.
void write_rows(const RowBlock& block, std::span<const RowOut> rows, MatrixEntries entries, Stores stores);

}  // namespace ropewalk::cpu
