// Divides the keys into blocks and the cells into pieces with separate sums.
#pragma once

#include <span>
#include <vector>

#include "core/attention/attention.h"
#include "core/cpu/by_row/key_sample.h"
#include "core/cpu/kernels/row_scan.h"

namespace ropewalk::cpu {

/// The damping in nepers over one stretch, a factor of 1e200. Damped keys are scanned in stretches. Within one, damping
/// is a factor of the key, which grows from 1 at its first key, and a factor of the query; both products must stay in
/// the range of double.
constexpr double most_nepers = 460;  // over one stretch

/// Keys in blocks. One thread rotates a block, keeps it in its second-level cache if it is small enough, and scans all
/// rows against it. The cells are cut into pieces where blocks end, so that every sum is computed by one thread:
/// results do not depend on the number of threads, though they do on the cache size.
struct KeyPlan {
    int block_keys = 0;            // maximum
    int stretch = 0;               // keys with the same origin of damping; blocks may contain parts of several
    std::vector<int> blocks;       // [blocks + 1], first keys, or sampled keys, and the end of the last
    std::vector<int> pieces;       // [pieces + 1], first columns and the end of the last
    std::vector<int> first_piece;  // [blocks + 1], of blocks
    std::vector<int> cell;         // [pieces], the cell of each piece; −1 if none

    /// Returns the plan for all keys. `cells` are first columns and the end of the last; each key takes `key_bytes`
    /// bytes.
    static KeyPlan all(const Problem& problem, std::span<const int> cells, std::size_t key_bytes);
    /// Returns the plan for a sample of keys.
    static KeyPlan drawn(const KeySample& sample, std::size_t key_bytes);

    int block_count() const { return static_cast<int>(blocks.size()) - 1; }
    int piece_count() const { return static_cast<int>(cell.size()); }
    Interval keys(int block) const { return {blocks[block], blocks[block + 1]}; }
    Interval pieces_of(int block) const { return {first_piece[block], first_piece[block + 1]}; }

  private:
    /// Cuts cells where blocks end; first_column(block) is the column of its first key.
    template <class FirstColumn>
    void cut(std::span<const int> cells, int end, FirstColumn first_column);
};

}  // namespace ropewalk::cpu
