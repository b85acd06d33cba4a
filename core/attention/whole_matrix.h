// A head's whole matrix in float, for uses that need all N² numbers: files and benchmarks. All other code uses a
// viewport.
#pragma once

#include <optional>
#include <span>

#include "core/machine/large_array.h"

namespace ropewalk {

/// The kind of entries in a matrix. Scores are the logits of `scores_only(problem)`.
enum class MatrixEntries { logits, weights };

/// Memory for [seq_len, seq_len] numbers, row-major, reused between fills: new memory costs several times as much as
/// the numbers. Its content before the first fill is undefined.
class WholeMatrix {
  public:
    /// Allocates the memory. Throws std::bad_alloc.
    void resize(int seq_len) {
        if (seq_len == seq_len_) return;
        above_diagonal.reset();
        entries_.reset();
        seq_len_ = 0;
        entries_ = large_array<float>(static_cast<std::size_t>(seq_len) * static_cast<std::size_t>(seq_len));
        seq_len_ = seq_len;
    }

    int seq_len() const { return seq_len_; }
    std::span<float> row(int query) { return {entries_.get() + offset(query), static_cast<std::size_t>(seq_len_)}; }
    std::span<const float> row(int query) const {
        return {entries_.get() + offset(query), static_cast<std::size_t>(seq_len_)};
    }
    std::span<const float> entries() const { return {entries_.get(), offset(seq_len_)}; }

    /// The value of all entries above the diagonal, if it is known to be the same; it is then not written again. Code
    /// that writes there must update it.
    std::optional<float> above_diagonal;

  private:
    std::size_t offset(int query) const { return static_cast<std::size_t>(query) * static_cast<std::size_t>(seq_len_); }

    int seq_len_ = 0;
    LargeArray<float> entries_;
};

}  // namespace ropewalk
