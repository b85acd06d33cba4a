// Queries and keys in the form that the shaders read: rotated to their positions, as float in tiles.
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

constexpr int slice_channels = 16;  // a row's channels are padded with zeros to whole slices, as in attention.glsl

inline int padded_channels(int head_dim) {
    return (head_dim + slice_channels - 1) / slice_channels * slice_channels;
}

/// A buffer of rows on the device, [regimes, capacity, channels, tile].
class RowTiles {
  public:
    /// Ensures a capacity in tiles of this problem's rows. Returns false if the previous content was lost or moved.
    bool reserve(const Problem& problem, int capacity);
    /// Writes tiles. fill(tile, near, far) computes a tile's rows, [channels, tile], `far` only with two regimes; it is
    /// called for several tiles at once. Values that it does not write are 0. Uses the calling thread's TBB arena.
    void write(Interval tiles, const Cancel& cancel, const std::function<void(int, float*, float*)>& fill);

    const GlBuffer& buffer() const { return buffer_; }

  private:
    std::size_t tile_floats() const { return static_cast<std::size_t>(tile) * padded_channels(head_dim_); }

    GlBuffer buffer_, upload_;
    int head_dim_ = 0, capacity_ = 0;
    bool has_far_ = false;
};

class QueryTiles {
  public:
    /// Loads the queries of `tokens`, scaled so that their products with keys are logits. Returns the Euclidean length
    /// of the longest after scaling.
    double load(const Problem& problem, std::span<const int> tokens, const Cancel& cancel);

    /// Frees the rows cached in main memory.
    void release_rows() { as_they_come_ = {}; }

    const GlBuffer& buffer() const { return tiles_.buffer(); }

  private:
    RowTiles tiles_;
    cpu::ListedRows as_they_come_;
};

/// The inputs that rotated keys depend on.
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

/// Rotated keys, cached on the device while their rotation stays the same; unrotated rows are cached in main memory
/// while their source stays the same.
class KeyTiles {
  public:
    /// Ensures a capacity in tiles of the problem's keys. The problem must outlive this.
    void prepare(const Problem& problem, int capacity);
    /// Frees the rows cached in main memory.
    void release_rows() { reader_.reset(); }
    /// Loads keys from `begin`, the first of a tile, up to `end` into the buffer's first tiles, unless they are there
    /// already. Returns the Euclidean length of the longest key in these tiles.
    double load(Interval keys, const Cancel& cancel);

    const GlBuffer& buffer() const { return tiles_.buffer(); }

  private:
    RowTiles tiles_;
    std::optional<cpu::KeyReader<float>> reader_;
    KeyOrigin origin_;
    Interval loaded_;              // tiles of the sequence
    std::vector<double> lengths_;  // of the longest key in each tile
};

}  // namespace ropewalk::gpu
