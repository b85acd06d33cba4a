// Suggestions for mistyped names.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace ropewalk {

/// Returns the name with the fewest edits from `written`: letters inserted, deleted, replaced or swapped with a
/// neighbour (optimal string alignment distance). Empty if this exceeds a third of the letters.
std::string closest_name(std::string_view written, std::span<const std::string> names);
/// Returns "did you mean 'NAME'?" with the closest name, or `otherwise` if none is close.
std::string meant_or(std::string_view written, std::span<const std::string> names, std::string_view otherwise);

}  // namespace ropewalk
