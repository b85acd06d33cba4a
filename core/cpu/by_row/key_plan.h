// Which keys are looked at together, and whose sums are kept by themselves.
#pragma once

#include <span>
#include <vector>

#include "core/attention/attention.h"
#include "core/cpu/by_row/key_sample.h"
#include "core/cpu/kernels/row_scan.h"

namespace ropewalk::cpu {

/// A problem in which keys are damped is scanned in stretches. Over one of them, damping is a factor of the key that
/// grows from 1 at its first key, and a factor of the query; neither product may leave the range of double.
constexpr double most_nepers = 460;  // over one stretch: a factor of 1e200

/// Keys in blocks, each of which one thread turns and holds, in its second-level cache where there are not too many of
/// them, while all rows meet it. The columns' cells are cut into pieces where blocks end, so that every sum is made by
/// one thread: what comes out does not depend on how many there are, if on the cache's size.
struct KeyPlan {
    int block_keys = 0;            // at most
    int stretch = 0;               // whose keys are damped from the same one on; blocks may hold parts of several
    std::vector<int> blocks;       // [blocks + 1], first keys, or drawn ones, and the end of the last
    std::vector<int> pieces;       // [pieces + 1], first columns and the end of the last
    std::vector<int> first_piece;  // [blocks + 1], of blocks
    std::vector<int> cell;         // [pieces], that a piece is of; −1 where it is of none

    /// All keys. `cells` are first columns and the end of the last; keys take so many bytes.
    static KeyPlan all(const Problem& problem, std::span<const int> cells, std::size_t key_bytes);
    /// Those that were drawn.
    static KeyPlan drawn(const KeySample& sample, std::size_t key_bytes);

    int block_count() const { return static_cast<int>(blocks.size()) - 1; }
    int piece_count() const { return static_cast<int>(cell.size()); }
    Interval keys(int block) const { return {blocks[block], blocks[block + 1]}; }
    Interval pieces_of(int block) const { return {first_piece[block], first_piece[block + 1]}; }

  private:
    /// Cuts cells where blocks end; first_column(block) is that of its first key.
    template <class FirstColumn>
    void cut(std::span<const int> cells, int end, FirstColumn first_column);
};

}  // namespace ropewalk::cpu
