// What figures are called beside each other.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "app/figures/figures.h"

namespace ropewalk {

constexpr std::string_view title_separator = " · ";
/// The title of one of some figures and, where another of its kind is set otherwise, what it is set to: "Attention ·
/// Weights"; of those that are the same in all, the second has a 2.
std::string title_among(std::span<const Figure> figures, std::size_t which);
/// What tells it from the others of its kind, "Weights", or all of it where nothing does: the last to go where there is
/// little room.
std::string_view distinction_of(std::string_view title);

}  // namespace ropewalk
