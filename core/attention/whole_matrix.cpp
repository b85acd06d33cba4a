#include "core/attention/whole_matrix.h"

namespace ropewalk {

void WholeMatrix::resize(int seq_len) {
    if (seq_len == seq_len_) return;
    above_diagonal.reset();
    entries_.reset();
    seq_len_ = 0;
    entries_ = large_array<float>(static_cast<std::size_t>(seq_len) * static_cast<std::size_t>(seq_len));
    seq_len_ = seq_len;
}

}  // namespace ropewalk
