// The name of a change in undo notices and in the history.
#pragma once

#include <string>

#include "core/fields/fields.h"

namespace ropewalk {

/// Returns the label and new value of the first field that differs between two values of a struct, such as "Base θ: 500
/// 000" or, for a list, "Amplitudes aₜ: 3 to 9". Returns an empty string if none differs.
std::string step_name(const ConstGroupRef& before, const ConstGroupRef& after);

}  // namespace ropewalk
