// A head's whole matrix in float, for those who want all N² numbers: files and benchmarks. Everybody else looks through
// a viewport.
#pragma once

#include <optional>
#include <span>

#include "core/machine/large_array.h"

namespace ropewalk {

/// What of a head a matrix holds. Its scores are the logits of `scores_only(problem)`.
enum class MatrixEntries { logits, weights };

/// Memory for [seq_len, seq_len] numbers, row-major, that is kept from one filling to the next: fresh memory costs
/// several times what the numbers do. What is in it before it is filled is not defined.
class WholeMatrix {
  public:
    /// Makes room. Throws std::bad_alloc.
    void resize(int seq_len);

    int seq_len() const { return seq_len_; }
    std::span<float> row(int query) { return {entries_.get() + offset(query), static_cast<std::size_t>(seq_len_)}; }
    std::span<const float> row(int query) const {
        return {entries_.get() + offset(query), static_cast<std::size_t>(seq_len_)};
    }
    std::span<const float> entries() const { return {entries_.get(), offset(seq_len_)}; }

    /// What every entry above the diagonal holds, if they all hold the same and that is known: then it need not be
    /// written again. Whoever writes there keeps it true.
    std::optional<float> above_diagonal;

  private:
    std::size_t offset(int query) const { return static_cast<std::size_t>(query) * static_cast<std::size_t>(seq_len_); }

    int seq_len_ = 0;
    LargeArray<float> entries_;
};

}  // namespace ropewalk
