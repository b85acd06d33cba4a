// Evenly spread samples of a range of tokens.
#pragma once

#include <algorithm>
#include <vector>

#include "core/attention.h"

namespace ropewalk {

/// At most `most` tokens of a range, evenly spread and its last among them; all of a smaller range.
inline std::vector<int> evenly_spread(Interval range, int most) {
    const int count = std::min(range.size(), most);
    std::vector<int> tokens;
    for (std::int64_t i = 1; i <= count; ++i)
        tokens.push_back(range.begin + static_cast<int>(i * range.size() / count) - 1);
    return tokens;
}

}  // namespace ropewalk
