// Divides the keys of a viewport for the shaders.
#pragma once

#include <vector>

#include "core/cpu/view.h"

namespace ropewalk::gpu {

constexpr int tile = 64;  // rows or keys multiplied together, as in attention.glsl

/// Keys [0, keys) cut at the boundaries of cells and of splits. A split is a range of keys scanned by one work group; a
/// piece is the range between two boundaries.
struct Pieces {
    Pieces(const cpu::CellGeometry& cells, int keys);

    int count() const { return static_cast<int>(begins.size()) - 1; }
    int splits() const { return static_cast<int>(split_pieces.size()); }

    int split_keys = 0;             // keys per split, whole tiles; the last split may be shorter
    std::vector<int> begins;        // [count + 1], first keys; the last entry is `keys`
    std::vector<int> split_pieces;  // [splits], first pieces
    std::vector<int> cell_pieces;   // [cells_across + 1], first pieces; cells after the last key have none
};

}  // namespace ropewalk::gpu
