// Titles of figures that are shown together.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "app/figures/figures.h"

namespace ropewalk {

constexpr std::string_view title_separator = " · ";
/// Returns the title of one of several figures. If another of its kind has different options, the difference follows:
/// "Attention · Weights". The second of two identical figures gets a 2.
std::string title_among(std::span<const Figure> figures, std::size_t which);
/// Returns `title_among` with the short form of the figure's title.
std::string brief_title_among(std::span<const Figure> figures, std::size_t which);
/// Returns the part of a title that distinguishes the figure from others of its kind ("Weights"), or the whole title if
/// there is none. It is the last part to be cut where there is little room.
std::string_view distinction_of(std::string_view title);

}  // namespace ropewalk
