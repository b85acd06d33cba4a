// Which of a theme's curves an encoding has, the same in every figure that shows it beside the head.
#pragma once

#include <algorithm>
#include <string_view>

#include "app/plot/theme.h"
#include "core/experiment/experiment.h"

namespace ropewalk {

/// The head's own encoding has the first, which all its curves have; each other keeps one of the rest, whichever that
/// is.
inline std::size_t place_of_encoding(std::string_view id, const Experiment& head) {
    if (id == id_of(head.encoding)) return 0;
    const auto& all = choice_type<Encoding>().alternatives;
    const auto found = std::find_if(all.begin(), all.end(), [&](const auto& encoding) { return id == encoding.id; });
    return found == all.end() ? 1 : 1 + static_cast<std::size_t>(found - all.begin());
}

}  // namespace ropewalk
