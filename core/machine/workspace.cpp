#include "core/machine/workspace.h"

#include <algorithm>

namespace ropewalk {

std::size_t Workspace::take_bytes(std::size_t size) {
    // The smallest free block that fits, unless most of it would be unused.
    std::size_t best = blocks_.size();
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
        const Block& block = blocks_[i];
        const bool fits = !block.lent && block.size >= size && block.size / 2 <= size;
        if (fits && (best == blocks_.size() || block.size < blocks_[best].size)) best = i;
    }
    if (best == blocks_.size()) {
        blocks_.push_back({.bytes = large_array<std::uint8_t>(size), .size = size});
    }
    blocks_[best].lent = blocks_[best].used = true;
    return best;
}

void Workspace::forget_unused() {
    std::erase_if(blocks_, [](const Block& block) { return !block.used; });
    for (Block& block : blocks_) block.used = false;
}

}  // namespace ropewalk
