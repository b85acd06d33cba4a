// Queries and keys as the shaders read them: turned to their positions, stored as float in tiles.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "core/cancel.h"
#include "core/cpu/by_row/grouped_rows.h"
#include "core/cpu/by_row/key_reader.h"
#include "core/gpu/gl_objects.h"
#include "core/gpu/pieces.h"

namespace ropewalk::gpu {

constexpr int slice_channels = 16;  // a row's channels are filled up with zeros to whole slices, as in attention.glsl

inline int padded_channels(int head_dim) {
    return (head_dim + slice_channels - 1) / slice_channels * slice_channels;
}

/// A buffer of rows on the device, [regimes, capacity, channels, tile].
class RowTiles {
  public:
    /// Room for so many tiles of this problem's rows. False if what was there is lost, or lies elsewhere.
    bool reserve(const Problem& problem, int capacity);
    /// fill(tile, near, far) writes a tile's rows, [channels, tile], the latter where there are two regimes; it is
    /// called for several tiles at once. What it leaves out is zeros. Uses the calling thread's TBB arena.
    void write(Interval tiles, const Cancel& cancel, const std::function<void(int, float*, float*)>& fill);

    const GlBuffer& buffer() const { return buffer_; }

  private:
    std::size_t tile_floats() const { return static_cast<std::size_t>(tile) * padded_channels(head_dim_); }

    GlBuffer buffer_;
    int head_dim_ = 0, capacity_ = 0;
    bool has_far_ = false;
};

class QueryTiles {
  public:
    /// Loads the queries of `tokens`, multiplied by what makes their products with keys logits. Returns the Euclidean
    /// length of the longest, so multiplied.
    double load(const Problem& problem, std::span<const int> tokens, const Cancel& cancel);

    /// Forgets the rows that are kept on this side.
    void release_rows() { as_they_come_ = {}; }

    const GlBuffer& buffer() const { return tiles_.buffer(); }

  private:
    RowTiles tiles_;
    cpu::ListedRows as_they_come_;
};

/// What turned keys follow from.
struct KeyOrigin {
    RowSource source;
    int seq_len = 0;
    LoweredEncoding lowered;
    Positions positions;

    static KeyOrigin of(const Problem& problem) {
        return {problem.inputs.k, problem.seq_len, problem.lowered, problem.positions};
    }
    bool operator==(const KeyOrigin&) const = default;
};

/// Keys stay on the device while they are turned alike, and rows on this side while they come from the same source.
class KeyTiles {
  public:
    /// Room for so many tiles of the problem's keys, which must outlive their use.
    void prepare(const Problem& problem, int capacity);
    /// Forgets the rows that are kept on this side.
    void release_rows() { reader_.reset(); }
    /// Makes keys from `begin`, the first of a tile, up to `end` ready in the buffer's first tiles, unless they are.
    /// Returns the Euclidean length of the longest in these tiles.
    double load(Interval keys, const Cancel& cancel);

    const GlBuffer& buffer() const { return tiles_.buffer(); }

  private:
    RowTiles tiles_;
    std::optional<cpu::KeyReader<float>> reader_;
    KeyOrigin origin_;
    Interval loaded_;              // tiles of the sequence
    std::vector<double> lengths_;  // of the longest key in each of them
};

}  // namespace ropewalk::gpu
