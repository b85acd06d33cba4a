// Which of a theme's curves an encoding has, the same in every figure that shows it beside the head.
#pragma once

#include <string_view>

#include "app/plot/theme.h"
#include "core/experiment/experiment.h"

namespace ropewalk {

/// The head's own encoding has the first, which all its curves have; each other keeps one of the rest, whichever that
/// is.
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
