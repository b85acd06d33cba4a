// Queries and keys as the shaders read them: turned to their positions in double, stored as float in tiles.
#pragma once

#include <span>
#include <vector>

#include "core/cpu/rotated_rows.h"
#include "core/gpu/gl_objects.h"
#include "core/gpu/pieces.h"

namespace ropewalk::gpu {

constexpr int slice_channels = 16;  // a row's channels are filled up with zeros to whole slices, as in attention.glsl

inline int padded_channels(int head_dim) {
    return (head_dim + slice_channels - 1) / slice_channels * slice_channels;
}

/// A buffer of rows of one side of a problem, [regimes, capacity, channels, tile].
class RowTiles {
  public:
    /// Room for `capacity` tiles. Rows are multiplied by `factor`.
    RowTiles(const Problem& problem, cpu::RowReader::Side side, double factor, int capacity, GlBuffer& buffer);

    int capacity() const { return capacity_; }
    /// Reads the rows of `tokens`, at most capacity · tile of them, into the buffer from its first tile on. What the
    /// last tile has left over is zeros. Uses the calling thread's TBB arena.
    void load(std::span<const int> tokens, const Cancel& cancel);
    /// Euclidean length of the longest row that was loaded.
    double greatest_length() const { return greatest_length_; }

  private:
    cpu::RowReader reader_;
    int head_dim_ = 0, capacity_ = 0;
    GlBuffer& buffer_;
    double greatest_length_ = 0;
};

}  // namespace ropewalk::gpu
