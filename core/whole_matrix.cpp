#include "core/whole_matrix.h"

#include <sys/mman.h>

#include <new>

namespace ropewalk {

void WholeMatrix::resize(int seq_len) {
    if (seq_len == seq_len_) return;
    above_diagonal.reset();
    entries_.reset();
    seq_len_ = 0;
    // Pages of 2 MB, where the system grants them, cost 512 times fewer faults.
    constexpr std::size_t page = std::size_t{2} << 20;
    const std::size_t bytes = static_cast<std::size_t>(seq_len) * static_cast<std::size_t>(seq_len) * sizeof(float),
                      rounded = (bytes + page - 1) / page * page;
    entries_.reset(static_cast<float*>(std::aligned_alloc(page, rounded)));
    if (!entries_) throw std::bad_alloc();
#ifdef MADV_HUGEPAGE
    madvise(entries_.get(), rounded, MADV_HUGEPAGE);
#endif
    seq_len_ = seq_len;
}

}  // namespace ropewalk
