// What was probably meant by a name that there is not.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace ropewalk {

/// The name that takes the fewest edits to reach: letters put in, left out, changed or swapped with their neighbour
/// (optimal string alignment distance). Empty where that is more than a third of the letters, and so more of a guess.
std::string closest_name(std::string_view written, std::span<const std::string> names);

}  // namespace ropewalk
