// Assigns one of the theme's curve styles to each encoding, the same in every figure.
#pragma once

#include <algorithm>
#include <string_view>

#include "app/plot/theme.h"
#include "core/experiment/experiment.h"

namespace ropewalk {

/// Returns the index of an encoding's curve style. The head's own encoding has the first; each other encoding always
/// has the same one of the rest.
inline std::size_t place_of_encoding(std::string_view id, const Experiment& head) {
    if (id == id_of(head.encoding)) return 0;
    const auto& all = choice_type<Encoding>().alternatives;
    const auto found = std::find_if(all.begin(), all.end(), [&](const auto& encoding) { return id == encoding.id; });
    return found == all.end() ? 1 : 1 + static_cast<std::size_t>(found - all.begin());
}

}  // namespace ropewalk
