// An encoding's colour, the same in every figure that shows it beside the head.
#pragma once

#include <string_view>

#include "app/plot/theme.h"
#include "core/experiment.h"

namespace ropewalk {

/// The place in a theme's series. The head's own encoding has the first, which all its curves have; each other keeps
/// one of the rest, whichever that is. Extension methods have different ones, and so have truncations.
inline std::size_t series_of_encoding(std::string_view id, const Experiment& head) {
    constexpr std::size_t others = std::tuple_size_v<decltype(Theme::series)> - 1;
    if (id == id_of(head.encoding)) return 0;
    std::size_t place = 0, found = 0;
    for_each_alternative<Encoding>([&](const auto& encoding) {
        if (id == encoding.id) found = place;
        ++place;
    });
    return 1 + found % others;
}

}  // namespace ropewalk
