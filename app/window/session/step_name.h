// What undo and the history call a change.
#pragma once

#include <string>

#include "core/fields/fields.h"

namespace ropewalk {

/// What differs between two values of a struct: the label of the first field that does and what it has become, such as
/// "Base θ: 500 000" or, of a list, "Amplitudes aₜ: 3 to 9". Empty if none does.
std::string step_name(const ConstGroupRef& before, const ConstGroupRef& after);

}  // namespace ropewalk
