// Shapes for tests that look at an encoding alone.
#pragma once

#include "core/fields/shape.h"

namespace ropewalk {

inline Shape shape_of(int head_dim, int seq_len = 16) {
    return {.head_dim = head_dim, .seq_len = seq_len};
}

}  // namespace ropewalk
