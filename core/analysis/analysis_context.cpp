#include "core/analysis/analysis_context.h"

namespace ropewalk {

Cursor Cursor::at_distance(int distance, int seq_len) const {
    Cursor moved = *this;
    moved.query = std::clamp(std::max(query, distance), 0, seq_len - 1);
    moved.key = std::clamp(moved.query - distance, 0, seq_len - 1);
    return moved;
}

Cursor Cursor::clamped(const Experiment& experiment) const {
    return {std::clamp(query, 0, experiment.seq_len - 1), std::clamp(key, 0, experiment.seq_len - 1),
            std::clamp(pair, 0, experiment.head_dim / 2 - 1)};
}

}  // namespace ropewalk
