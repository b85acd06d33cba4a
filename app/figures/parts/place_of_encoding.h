// Assigns one of the theme's curve styles to each encoding, the same in every figure.
#pragma once

#include <string_view>

#include "app/plot/theme.h"
#include "core/experiment/experiment.h"

namespace ropewalk {

/// Returns the index of an encoding's curve style. The head's own encoding has the first; each other encoding always
/// has the same one of the rest.
inline std::size_t place_of_encoding(std::string_view id, const Experiment& head) {
    if (id == id_of(head.encoding)) return 0;
    std::size_t place = 0, found = 0;
    for_each_alternative<Encoding>([&](const auto& encoding) {
        if (id == encoding.id) found = place;
        ++place;
    });
    static_assert(std::variant_size_v<Encoding> < Theme::curves);
    return 1 + found;
}

}  // namespace ropewalk
