// Unrotated queries or keys in groups, cached between problems.
#pragma once

#include <atomic>
#include <span>
#include <vector>

#include "core/constructions/head_inputs.h"
#include "core/cpu/kernels/row_scan.h"
#include "core/machine/large_array.h"

namespace ropewalk::cpu {

/// Returns how many of `all` bytes are cached between calls: all, or only a part for a million tokens, where they would
/// take most of the program's memory.
constexpr std::size_t cached_bytes(std::size_t all) {
    constexpr std::size_t most = std::size_t{64} << 20, most_of_part = most / 2;
    return all <= most ? all : most_of_part;
}

/// Numbers cached between calls, aligned for vectors.
template <class T>
struct CachedNumbers {
    LargeArray<T> values;
    std::size_t size = 0;

    /// Resizes the array. The numbers are lost unless the count stays the same.
    void resize(std::size_t count) {
        if (count == size) return;
        values = nullptr;
        size = 0;
        if (count == 0) return;
        values = large_array<T>(count);
        size = count;
    }
};

/// Rows of one source in T. While the source stays the same they are read only once, within the memory limit.
template <class T>
class GroupedRows {
  public:
    enum class Keeping { none, while_there_is_room };
    /// Prepares for the rows of tokens [0, seq_len).
    void prepare(const RowSource& source, int seq_len, int head_dim, Keeping keeping);

    int groups() const { return (seq_len_ + key_group - 1) / key_group; }

    /// A thread's memory for reading.
    struct Scratch {
        explicit Scratch(int head_dim);
        std::vector<double> row;
        LargeArray<T> group;
    };
    /// Rows, [head_dim, key_group], the first channels of all pairs, then the second ones; and the Euclidean length of
    /// the longest. Places after the last row repeat it.
    struct Group {
        const T* rows = nullptr;
        double max_length = 0;
    };
    /// Reads one group; several threads may read different ones.
    Group read(int group, Scratch& scratch);

  private:
    bool has_lengths() const { return !lengths_.empty(); }

    RowSource source_;
    int seq_len_ = 0, head_dim_ = 0;
    CachedNumbers<T> rows_;        // [slots, head_dim, key_group]
    std::vector<int> slots_;       // [groups], −1 if rows are not cached
    std::atomic<int> taken_ = 0;   // slots, including requests when none was left
    std::vector<double> lengths_;  // [groups], of the longest row
};

/// The rows of listed tokens, cached while the list stays the same.
class ListedRows {
  public:
    static constexpr std::size_t most_bytes = std::size_t{16} << 20;  // of cached rows

    /// Prepares for the rows of these tokens, [head_dim] each.
    void prepare(const RowSource& source, int head_dim, std::span<const int> tokens);
    /// Reads the row of tokens[index]; several threads may read different ones.
    void read(int index, std::span<double> row);

  private:
    RowSource source_;
    int head_dim_ = 0;
    std::vector<int> tokens_;
    std::vector<double> rows_;   // [tokens, head_dim]; empty if not cached
    std::vector<char> is_read_;  // [tokens]
};

}  // namespace ropewalk::cpu
